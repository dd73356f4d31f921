import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '@binnacle/api/types/core-v1';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { openMemoryKV } from '@binnacle/kv/memory';
import { ensureObjects } from '../bootstrap/index.js';
import { collectionBindingHandler } from '../pods/index.js';
import { parseRequestInfo, RequestContext } from '../request/index.js';
import { FakeExchange } from '../testing/index.js';
import { createCodec } from '../codec/index.js';
import { type Send, testResourceApi, withServer } from './server.testing.js';

const PODS = '/api/v1/namespaces/n/pods';
const BUDGETS = '/apis/policy/v1/namespaces/n/poddisruptionbudgets';
const zone = 'topology.kubernetes.io/zone';

const inNamespace = (kind: string, name: string, more: object = {}, labels: Record<string, string> = {}) =>
  ({ apiVersion: 'v1', kind, metadata: { name, namespace: 'n', labels }, ...more }) as KubernetesObject;

const objects: readonly KubernetesObject[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } },
  { apiVersion: 'v1', kind: 'Node', metadata: { name: 'm', labels: { [zone]: 'z' } } },
  inNamespace('ServiceAccount', 'default'),
  inNamespace('Pod', 'p', { spec: { containers: [{ name: 'c', image: 'i' }] } }, { app: 'a', [zone]: 'own' }),
];

const bind = (send: Send, metadata: object = {}, target: object = { kind: 'Node', name: 'm' }) =>
  send('POST', `${PODS}/p/binding`, {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: 'p', ...metadata },
    target,
  });

const evict = (send: Send, deleteOptions: object = {}) =>
  send('POST', `${PODS}/p/eviction`, {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name: 'p' },
    deleteOptions: { gracePeriodSeconds: 30, ...deleteOptions },
  });

const read = async (send: Send) => JSON.parse((await send('GET', `${PODS}/p`)).body) as Pod & KubernetesObject;

/** A ready pod on a node, selected by a budget of each name. */
async function guard(send: Send, ...budgets: string[]): Promise<void> {
  assert.equal((await bind(send)).status, 201);
  const conditions = [{ type: 'Ready', status: 'True' }];
  assert.equal((await send('PATCH', `${PODS}/p/status`, { status: { phase: 'Running', conditions } })).status, 200);
  for (const name of budgets) {
    const spec = { minAvailable: 1, selector: { matchLabels: { app: 'a' } } };
    const budget = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name }, spec };
    assert.equal((await send('POST', BUDGETS, budget)).status, 201);
  }
}

test('a binding copies its labels and those of the node to the pod, and clears the nomination', () =>
  withServer(openMemoryKV(), objects, async (send) => {
    await send('PATCH', `${PODS}/p/status`, { status: { nominatedNodeName: 'other' } });
    assert.equal((await bind(send, { labels: { team: 't' }, annotations: { note: 'x' } })).status, 201);
    const { metadata, spec, status } = await read(send);
    assert.deepEqual(metadata.labels, { app: 'a', team: 't', [zone]: 'z' });
    assert.deepEqual(metadata.annotations, { note: 'x' });
    assert.equal(spec?.nodeName, 'm');
    assert.equal(status?.nominatedNodeName, undefined);
    assert.deepEqual(
      status?.conditions?.map((condition) => [condition.type, condition.status]),
      [['PodScheduled', 'True']],
    );
  }));

test('a binding applies only to the pod uid and version that it names', () =>
  withServer(openMemoryKV(), objects, async (send) => {
    for (const [metadata, what] of [
      [{ uid: 'other' }, /UID in precondition: other, UID in object meta: /],
      [{ resourceVersion: '1' }, /ResourceVersion in precondition: 1, ResourceVersion in object meta: [0-9]+$/],
    ] as const) {
      const refused = await bind(send, metadata);
      assert.equal(refused.status, 409);
      assert.match(
        refused.message,
        /^Operation cannot be fulfilled on pods "p": StorageError: invalid object, Code: 4/,
      );
      assert.match(refused.message, what);
    }
    const { uid, resourceVersion } = (await read(send)).metadata;
    assert.equal((await bind(send, { uid, resourceVersion })).status, 201);
    const wrong = await bind(send, {}, { kind: 'Pod' });
    assert.equal(wrong.status, 500);
    assert.equal(
      wrong.message,
      '[target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>", target.name: Required value]',
    );
  }));

test('an eviction sets the condition in the status of the pod once', () =>
  withServer(openMemoryKV(), objects, async (send) => {
    await guard(send);
    for (let attempt = 1; attempt <= 2; attempt++) {
      assert.equal((await evict(send)).status, 201);
      const { metadata, status } = await read(send);
      assert.ok(metadata.deletionTimestamp !== undefined);
      const target = status?.conditions?.filter(({ type }) => type === 'DisruptionTarget');
      assert.equal(target?.length, 1);
      assert.equal(target?.[0]?.reason, 'EvictionByEvictionAPI');
      assert.equal(target?.[0]?.message, 'Eviction API: evicting');
    }
  }));

test('a refused eviction, or a dry run, sets no condition', () =>
  withServer(openMemoryKV(), objects, async (send) => {
    await guard(send);
    const before = await read(send);
    assert.equal((await evict(send, { preconditions: { uid: 'other' } })).status, 409);
    assert.equal((await evict(send, { preconditions: { resourceVersion: '1' } })).status, 409);
    assert.equal((await evict(send, { dryRun: ['All'] })).status, 201);
    assert.deepEqual(await read(send), before);
    const conditional = { preconditions: { resourceVersion: before.metadata.resourceVersion } };
    assert.equal((await evict(send, conditional)).status, 201);
  }));

test('two budgets for one pod are an internal error', () =>
  withServer(openMemoryKV(), objects, async (send) => {
    await guard(send, 'one', 'two');
    const { status, message } = await evict(send);
    assert.equal(status, 500);
    assert.equal(
      message,
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
    const option = await evict(send, { ignoreStoreReadErrorWithClusterBreakingPotential: true });
    assert.equal(option.status, 422);
    assert.match(option.message, /can not be set for pod eviction, try after removing the option$/);
  }));

test('a terminating namespace refuses bindings and evictions', () =>
  withServer(openMemoryKV(), objects, async (send) => {
    await guard(send);
    await send('DELETE', '/api/v1/namespaces/n');
    for (const refused of [await bind(send), await evict(send)]) {
      assert.equal(refused.status, 403);
      assert.match(refused.message, /because it is being terminated$/);
    }
  }));

test('a binding names the pod of its path', () =>
  withServer(openMemoryKV(), objects, async (send) => {
    for (const name of [undefined, 'q']) {
      const { status, message } = await bind(send, { name });
      assert.deepEqual([status, message], [400, 'name in URL does not match name in Binding object']);
    }
    const { status, message } = await bind(send, { namespace: 'other' });
    const problem = 'the namespace of the provided object does not match the namespace sent on the request';
    assert.deepEqual([status, message], [400, problem]);
  }));

test('any dryRun in an eviction is a dry run, and one in the query must be the same', () =>
  withServer(openMemoryKV(), objects, async (send) => {
    for (const dryRun of [['All'], ['x'], ['']]) assert.equal((await evict(send, { dryRun })).status, 201);
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } };
    const refused = await send('POST', `${PODS}/p/eviction?dryRun=All`, {
      ...eviction,
      deleteOptions: { dryRun: ['x'] },
    });
    assert.deepEqual(
      [refused.status, refused.message],
      [500, 'Non-matching dry-run options in request and content: [All] and [x]'],
    );
    assert.equal((await send('POST', `${PODS}/p/eviction?dryRun=All`, eviction)).status, 201);
    assert.equal((await send('GET', `${PODS}/p`)).status, 200);
  }));

test('a binding without a pod in its path ignores the uid and checks the version', async () => {
  await using kv = openMemoryKV();
  const api = testResourceApi(kv);
  try {
    await ensureObjects(objects, api.endpointOf);
    const endpoint = api.catalog.find('', 'pods');
    assert.ok(endpoint !== undefined);
    const handle = collectionBindingHandler(createCodec({ group: '', version: 'v1', kind: 'Binding' }), () => true);
    const bindAs = async (metadata: object): Promise<number> => {
      const body = JSON.stringify({ apiVersion: 'v1', kind: 'Binding', metadata, target: { name: 'm' } });
      const path = '/api/v1/namespaces/n/bindings';
      const headers = { 'content-type': 'application/json' };
      const exchange = new FakeExchange({ method: 'POST', url: path, headers, body });
      const context = new RequestContext(exchange, path, new URLSearchParams(), 0);
      context.info = parseRequestInfo('POST', path, context.query);
      await handle(context, endpoint);
      return exchange.status;
    };
    await assert.rejects(bindAs({ name: 'p', resourceVersion: '1' }), { code: 409 });
    await assert.rejects(bindAs({}), { code: 400, message: 'Name parameter required.' });
    assert.equal(await bindAs({ name: 'p', uid: 'other' }), 201);
  } finally {
    api.catalog.stop();
  }
});
