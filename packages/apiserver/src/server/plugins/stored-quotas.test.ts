import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResourceQuota } from '@binnacle/api/types/core-v1';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { openMemoryKV } from '@binnacle/kv/memory';
import { createOwned, ensureObjects } from '../../bootstrap/index.js';
import { StoredQuotas } from './stored-quotas.js';
import { testResourceApi } from '../server.testing.js';

const quota: KubernetesObject = {
  kind: 'ResourceQuota',
  apiVersion: 'v1',
  metadata: { name: 'q', namespace: 'default' },
  spec: { hard: { pods: '2' } },
};

test('usage is written to the status of the quota that was read, never to a later one', async () => {
  await using kv = openMemoryKV();
  const api = testResourceApi(kv);
  try {
    const endpoint = api.catalog.find('', 'resourcequotas');
    assert.ok(endpoint !== undefined);
    const quotas = new StoredQuotas(() => endpoint);
    assert.deepEqual(await quotas.resourceQuotas('default'), []);
    await createOwned(structuredClone(quota), endpoint);
    await ensureObjects([{ ...quota, metadata: { name: 'q', namespace: 'other' } }], api.endpointOf);

    const [read, ...others] = await quotas.resourceQuotas('default');
    assert.ok(read !== undefined);
    assert.deepEqual(others, []);
    await quotas.recordUsage(read, { pods: '1' });
    await assert.rejects(quotas.recordUsage(read, { pods: '2' }), { reason: 'Conflict' });

    const [now] = (await quotas.resourceQuotas('default')) as ResourceQuota[];
    assert.deepEqual(now?.status, { used: { pods: '1' } });
    assert.deepEqual(now?.spec, quota.spec);
    const managers = now?.metadata?.managedFields?.map(({ manager, subresource }) => [manager, subresource]);
    assert.deepEqual(managers, [
      ['kube-apiserver', undefined],
      ['kube-apiserver', 'status'],
    ]);
  } finally {
    api.catalog.stop();
  }
});

test('quotas are decoded in turns', async (context) => {
  await using kv = openMemoryKV();
  const api = testResourceApi(kv);
  try {
    const names = ['a', 'b', 'c'];
    await ensureObjects(
      names.map((name) => ({ ...quota, metadata: { name, namespace: 'default' } })),
      api.endpointOf,
    );
    const endpoint = api.catalog.find('', 'resourcequotas');
    const quotas = new StoredQuotas(() => endpoint);
    assert.equal((await quotas.resourceQuotas('default')).length, names.length);
    // Each look at the time is in a turn that is over.
    let time = performance.now();
    context.mock.method(performance, 'now', () => (time += 6));
    let turns = 0;
    const read = new AbortController();
    const others = (async () => {
      for (; !read.signal.aborted; turns++) await new Promise(setImmediate);
    })();
    await quotas.resourceQuotas('default');
    read.abort();
    await others;
    assert.ok(turns >= names.length, `${turns} turns`);
  } finally {
    api.catalog.stop();
  }
});
