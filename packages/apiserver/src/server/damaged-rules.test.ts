import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { KV } from '@binnacle/kv';
import { openMemoryKV } from '@binnacle/kv/memory';
import { ensureObjects } from '../bootstrap/index.js';
import { parseRequestInfo } from '../request/index.js';
import { answer, withDamagedValue } from '../testing/index.js';
import type { ResourceApi } from './resource-api.js';
import { testResourceApi } from './server.testing.js';

// A rule that cannot be read denies the requests to which it applies. It never counts as absent.

const namespace: KubernetesObject = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'n' },
};
const rules: readonly KubernetesObject[] = [
  { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'r', namespace: 'n' }, spec: { hard: { pods: '0' } } },
  {
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: { name: 'r', namespace: 'n' },
    spec: { limits: [{ type: 'Container', default: { cpu: '1' } }] },
  },
  {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'r' },
    value: 5,
    globalDefault: true,
  },
];
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { serviceAccountName: 'a', containers: [{ name: 'c', image: 'i' }] },
};
const account: KubernetesObject = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'a', namespace: 'n' },
};

/** Sends requests to the namespaces of a server, and returns the code and the object of each answer. */
function sendToNamespaces(api: ResourceApi) {
  const namespaces = api.catalog.find('', 'namespaces');
  assert.ok(namespaces !== undefined);
  return async (method: string, url: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const answered = await answer(namespaces, { method, url, headers, body: JSON.stringify(body) });
    return { code: answered.status, object: JSON.parse(answered.body) as { message?: string } };
  };
}

for (const [key, group, resource] of [
  ['/registry/namespaces/n', '', 'namespaces'],
  ['/registry/resourcequotas/n/r', '', 'resourcequotas'],
  ['/registry/limitranges/n/r', '', 'limitranges'],
  ['/registry/priorityclasses/r', 'scheduling.k8s.io', 'priorityclasses'],
] as const) {
  test(`pods are refused while ${key} cannot be read, and the server is not ready`, async () => {
    await using kv = openMemoryKV();
    const writer = testResourceApi(kv);
    await ensureObjects([namespace, account, ...rules], writer.endpointOf);
    writer.catalog.stop();

    const api = testResourceApi(withDamagedValue(kv, key));
    try {
      await api.sources.roles.ready();
      const endpoint = api.catalog.find('', 'pods');
      assert.ok(endpoint !== undefined);
      const headers = { 'content-type': 'application/json' };
      const request = { method: 'POST', url: '/api/v1/namespaces/n/pods', headers, body: JSON.stringify(pod) };
      await assert.rejects(answer(endpoint, request), { message: `the stored data of "${key}" is damaged` });
      await api.catalog.find(group, resource)?.store.reader.cacher.ready();
      assert.deepEqual(api.sources.unknown(), [group === '' ? resource : `${resource}.${group}`]);
    } finally {
      api.catalog.stop();
    }
  });
}

test('unreadable labels of a namespace do not count as absent', async () => {
  await using kv = openMemoryKV();
  const writer = testResourceApi(kv);
  await ensureObjects([namespace], writer.endpointOf);
  writer.catalog.stop();
  const api = testResourceApi(withDamagedValue(kv, '/registry/namespaces/n'));
  try {
    await assert.rejects(async () => api.sources.admission.podSecurity.namespaceLabels('n'), /is damaged/);
  } finally {
    api.catalog.stop();
  }
});

const definitions = '/registry/apiextensions.k8s.io/customresourcedefinitions/';
for (const [what, value, wrap] of [
  ['is not complete JSON', '{"apiVersion":"apiextensions', (kv: KV) => kv],
  ['is not protobuf', 'k8s\u0000\u0001', (kv: KV) => kv],
  ['is damaged in the store', '{}', (kv: KV) => withDamagedValue(kv, `${definitions}as.b`)],
] as const) {
  test(`a definition that ${what} makes only its objects unavailable, and no namespace is finalized`, async () => {
    await using kv = openMemoryKV();
    const put = { type: 'put', value: Buffer.from(value) } as const;
    await kv.txn({ key: `${definitions}as.b`, expectedRevision: 0, operation: put });
    const lines: string[] = [];
    const api = testResourceApi(wrap(kv), { report: (error) => void lines.push(String(error)) });
    try {
      await api.extensions?.start();
      assert.match(lines.join('\n'), /as\.b/);
      const handlerFor = (path: string) =>
        api.extensions?.handlerFor(parseRequestInfo('GET', path, new URLSearchParams()));
      assert.throws(() => handlerFor('/apis/b/v1/namespaces/n/as'), {
        code: 503,
        message: 'the definition as.b cannot be read',
      });
      assert.equal(handlerFor('/apis/b/v1/namespaces/n/others'), undefined);
      await ensureObjects([namespace], api.endpointOf);
      const send = sendToNamespaces(api);
      for (const url of ['/api/v1/namespaces/n', '/api/v1/namespaces/n/status']) {
        assert.equal((await send('PUT', url, namespace)).code, 200, 'without spec');
      }
      const { object: terminating } = await send('DELETE', '/api/v1/namespaces/n', {});
      const finalized = await send('PUT', '/api/v1/namespaces/n/finalize', { ...terminating, spec: {} });
      assert.equal(finalized.code, 503);
      assert.equal(
        finalized.object.message,
        'the definition as.b cannot be read, and the namespace may have objects of it',
      );
    } finally {
      api.extensions?.stop();
      api.catalog.stop();
    }
  });
}

test('no namespace is finalized until the definitions have been read', async () => {
  await using kv = openMemoryKV();
  const api = testResourceApi(kv);
  try {
    await ensureObjects([namespace], api.endpointOf);
    const send = sendToNamespaces(api);
    const { object: terminating } = await send('DELETE', '/api/v1/namespaces/n', {});
    const finalize = () => send('PUT', '/api/v1/namespaces/n/finalize', { ...terminating, spec: {} });
    assert.equal((await finalize()).code, 503);
    await api.extensions?.start();
    assert.equal((await finalize()).code, 200);
  } finally {
    api.extensions?.stop();
    api.catalog.stop();
  }
});

test('an object that cannot be read is logged once', async () => {
  await using kv = openMemoryKV();
  const writer = testResourceApi(kv);
  await ensureObjects([namespace], writer.endpointOf);
  writer.catalog.stop();
  const lines: unknown[] = [];
  const api = testResourceApi(withDamagedValue(kv, '/registry/namespaces/n'), { report: (line) => lines.push(line) });
  try {
    const reader = api.catalog.find('', 'namespaces')?.store.reader;
    await reader?.cacher.ready();
    for (let round = 0; round < 3; round += 1) {
      await assert.rejects(async () => reader?.find('', 'n'), /is damaged/);
    }
    assert.deepEqual(lines, [
      'the stored data of "/registry/namespaces/n" is damaged, or cannot be decrypted or decoded; requests that read it fail',
    ]);
  } finally {
    api.catalog.stop();
  }
});
