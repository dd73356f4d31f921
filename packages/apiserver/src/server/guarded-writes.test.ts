import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { openMemoryKV } from '@binnacle/kv/memory';
import { ensureObjects } from '../bootstrap/index.js';
import { answer, type Answer } from '../testing/index.js';
import { testResourceApi } from './testing.js';

/** Writes that the whole of the server judges: plugins, strategies and validation together. */
type Send = (method: string, url: string, body?: object) => Promise<Answer & { readonly message: string }>;

const N = '/api/v1/namespaces/n';
const CLASSES = '/apis/scheduling.k8s.io/v1/priorityclasses';
const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/c';

const pod = (name: string, annotations: Record<string, string> = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, annotations },
  spec: { containers: [{ name: 'c', image: 'i' }] },
});

async function withServer(run: (send: Send) => Promise<void>): Promise<void> {
  await using kv = openMemoryKV();
  const api = testResourceApi(kv, { retries: { pause: async () => undefined, random: () => 0 } });
  const send: Send = async (method, url, body) => {
    const [, group = '', resource = ''] =
      /^\/(?:api|apis\/([^/]+))\/[^/]+\/(?:namespaces\/n\/)?([a-z]+)/.exec(url) ?? [];
    const endpoint = api.catalog.find(group, resource);
    assert.ok(endpoint !== undefined, url);
    const headers = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
    const request = { method, url, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const answered = await answer(endpoint, request);
    return { ...answered, message: (JSON.parse(answered.body) as { message?: string }).message ?? '' };
  };
  const namespace = { 'pod-security.kubernetes.io/enforce': 'baseline' };
  const objects: KubernetesObject[] = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n', labels: namespace } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'n' } },
    {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'system-node-critical' },
      value: 2_000_001_000,
    },
  ];
  try {
    await ensureObjects(objects, api.endpointOf);
    await run(send);
  } finally {
    api.catalog.stop();
  }
}

test('an AppArmor annotation becomes a field when a pod is made, and does not get past PodSecurity later', () =>
  withServer(async (send) => {
    const made = await send('POST', `${N}/pods`, pod('a', { [APP_ARMOR]: 'localhost/x' }));
    assert.equal(made.status, 201);
    assert.match(made.body, /"appArmorProfile":\{"type":"Localhost","localhostProfile":"x"\}/);
    assert.deepEqual(made.warnings, [
      `metadata.annotations[${APP_ARMOR}]: deprecated since v1.30; use the "appArmorProfile" field instead`,
    ]);
    assert.equal((await send('POST', `${N}/pods`, pod('b', { [APP_ARMOR]: 'unconfined' }))).status, 403);
    assert.equal((await send('POST', `${N}/pods`, pod('b'))).status, 201);
    const annotations = { [APP_ARMOR]: 'unconfined' };
    for (const [name, what] of [
      ['a', 'remove or update'],
      ['b', 'add'],
    ]) {
      for (const subresource of ['', '/status']) {
        const patched = await send('PATCH', `${N}/pods/${name}${subresource}`, { metadata: { annotations } });
        assert.equal(patched.status, 422);
        const why = `metadata.annotations[${APP_ARMOR}]: Forbidden: may not ${what} AppArmor annotations`;
        assert.equal(patched.message, `Pod "${name}" is invalid: ${why}`);
      }
    }
  }));

test('the priority classes of the system stay', () =>
  withServer(async (send) => {
    const refusal =
      'priorityclasses.scheduling.k8s.io "system-node-critical" is forbidden: this is a system priority class and cannot be deleted';
    for (const url of [`${CLASSES}/system-node-critical`, `${CLASSES}/system-node-critical?dryRun=All`, CLASSES]) {
      const deleted = await send('DELETE', url);
      assert.equal(deleted.status, 403);
      assert.equal(deleted.message, refusal);
    }
    const changed = await send('PATCH', `${CLASSES}/system-node-critical`, { value: 5 });
    assert.equal(changed.status, 422);
    assert.match(changed.message, /value: Forbidden: may not be changed in an update\./);
  }));
