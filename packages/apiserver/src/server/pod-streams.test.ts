import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { forbidden } from '@binnacle/apimachinery/status';
import { openMemoryKV } from '@binnacle/kv/memory';
import { answer } from '../testing/index.js';
import { testResourceApi, withServer } from './server.testing.js';

const PODS = '/api/v1/namespaces/n/pods';

const pod = (name: string, ...containers: string[]): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'n' },
  spec: { containers: containers.map((container) => ({ name: container, image: 'i' })) },
});
const objects: readonly KubernetesObject[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } },
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'n' } },
  pod('one', 'c'),
  pod('two', 'c', 'd'),
];

const CHOICE = 'a container name must be specified for pod two, choose one of: [c d]';
const INVALID = 'PodLogOptions "one" is invalid: ';
const answers: readonly (readonly [path: string, status: number, message: string])[] = [
  ['one/log', 204, ''],
  ['two/log?container=d', 204, ''],
  ['two/log', 400, CHOICE],
  ['two/exec', 400, CHOICE],
  ['one/log?container=x', 400, 'container x is not valid for pod one'],
  ['one/attach', 400, 'pod one does not have a host assigned'],
  ['two/portforward', 400, 'pod two does not have a host assigned'],
  ['one/proxy', 400, 'address not allowed'],
  ['none/log', 404, 'pods "none" not found'],
  ['one/log?tailLines=a', 400, 'strconv.ParseInt: parsing "a": invalid syntax'],
  ['one/log?tailLines=-1', 422, `${INVALID}tailLines: Invalid value: -1: must be greater than or equal to 0`],
  ['one/log?limitBytes=0', 422, `${INVALID}limitBytes: Invalid value: 0: must be greater than 0`],
  ['one/log?sinceSeconds=0', 422, `${INVALID}sinceSeconds: Invalid value: 0: must be greater than 0`],
  [
    'one/log?sinceSeconds=0&sinceTime=2026-01-01T00:00:00Z',
    422,
    `${INVALID}[]: Forbidden: at most one of \`sinceTime\` or \`sinceSeconds\` may be specified`,
  ],
  ['one/log?stream=All', 422, `${INVALID}stream: Forbidden: may not be specified`],
];

test('a pod without a node has an empty log, and its other streams report the missing pod or container', () =>
  withServer(openMemoryKV(), objects, async (send) => {
    for (const [path, status, message] of answers) {
      const answered = await send('GET', `${PODS}/${path}`);
      assert.deepEqual([answered.status, answered.message], [status, message], path);
    }
  }));

test('what acts in a pod needs the right to create, also to learn whether the pod exists', async () => {
  await using store = openMemoryKV();
  const api = testResourceApi(store);
  const endpoint = api.catalog.find('', 'pods');
  assert.ok(endpoint !== undefined);
  const readOnly = (): never => {
    throw forbidden({ group: '', resource: 'pods' }, 'none', 'cannot create');
  };
  const expected: Record<string, readonly [status: number, message: string]> = {
    exec: [403, 'pods "none" is forbidden: '],
    attach: [403, 'pods "none" is forbidden: '],
    portforward: [403, 'pods "none" is forbidden: '],
    log: [404, 'pods "none" not found'],
  };
  try {
    for (const [subresource, wanted] of Object.entries(expected)) {
      const request = { method: 'GET', url: `${PODS}/none/${subresource}`, headers: {} };
      const { status, body } = await answer(endpoint, request, readOnly);
      assert.deepEqual([status, (JSON.parse(body) as { message: string }).message], wanted, subresource);
    }
  } finally {
    api.stop();
  }
});
