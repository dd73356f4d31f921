import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { openMemoryKV } from '@binnacle/kv/memory';
import { ensureObjects } from '../bootstrap/index.js';
import { parseRequestInfo } from '../request/index.js';
import { answer, withDamagedValue } from '../testing/index.js';
import { testResourceApi } from './server.testing.js';

/** A rule that cannot be read denies the requests it applies to; it never counts as absent. */
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
    await assert.rejects(api.sources.admission.podSecurity.namespaceLabels('n'), /is damaged/);
  } finally {
    api.catalog.stop();
  }
});

test('a definition that cannot be read keeps the server from starting, as its objects would be hidden', async () => {
  const prefix = '/registry/apiextensions.k8s.io/customresourcedefinitions/';
  for (const value of ['{"apiVersion":"apiextensions', 'k8s\u0000\u0001']) {
    await using kv = openMemoryKV();
    await kv.txn({ key: `${prefix}as.b`, expectedRevision: 0, operation: { type: 'put', value: Buffer.from(value) } });
    const api = testResourceApi(kv);
    try {
      await assert.rejects(async () => api.extensions?.start(), /the definition as\.b cannot be read: /);
      const info = parseRequestInfo('GET', '/apis/b/v1/namespaces/n/as', new URLSearchParams());
      assert.throws(() => api.extensions?.handlerFor(info), { code: 503, message: /please try again$/ });
    } finally {
      api.extensions?.stop();
      api.catalog.stop();
    }
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
    assert.deepEqual(lines, ['the stored data of "/registry/namespaces/n" is damaged; requests that read it fail']);
  } finally {
    api.catalog.stop();
  }
});
