import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatText, MetricRegistry } from '@binnacle/apimachinery/metrics';
import { KVError } from '@binnacle/kv';
import { configMap, type TestResource, testResource, testScope, withMethods } from '../testing/index.js';
import { readStorages } from './storage-readings.js';
import { NEWEST } from '../request/index.js';

async function readingsOf({ storage, cacher, kv, clock }: TestResource): Promise<string[]> {
  const registry = new MetricRegistry();
  const resource = { group: 'g.example', resource: 'things' };
  readStorages({
    registry,
    storages: () => [{ resource, storage, cacher }],
    sizeBytes: async () => (await kv.status()).sizeBytes,
    clock,
  });
  const lines = formatText(await registry.gather()).split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

describe('storage collectors', () => {
  it('ask the store when there is no cache', async () => {
    await using test = testResource();
    await test.store.create(testScope(), configMap('a'));
    const { sizeBytes } = await test.kv.status();
    assert.equal(test.cacher.wanted, false);
    assert.deepEqual(await readingsOf(test), [
      'apiserver_resource_objects{group="g.example",resource="things"} 1',
      'apiserver_storage_objects{resource="things.g.example"} 1',
      `apiserver_storage_size_bytes{storage_cluster_id="etcd-0"} ${sizeBytes}`,
    ]);
  });

  it('ask an existing cache', async () => {
    await using test = testResource();
    await test.store.create(testScope(), configMap('a'));
    await test.cacher.ready();
    await test.store.create(testScope(), configMap('b'));
    const watch = await test.reader.watch({ namespace: '', filter: undefined }, NEWEST, true);
    watch.stop();
    const revision = await test.kv.currentRevision();
    const labels = '{group="g.example",resource="things"}';
    const lines = await readingsOf(test);
    for (const line of [
      `apiserver_init_events_total${labels} 2`,
      `apiserver_resource_objects${labels} 2`,
      `apiserver_resource_size_estimate_bytes${labels} ${test.cacher.estimatedBytes}`,
      `apiserver_storage_events_received_total${labels} 1`,
      `apiserver_terminated_watchers_total${labels} 0`,
      `apiserver_watch_cache_initializations_total${labels} 1`,
      `apiserver_watch_cache_resource_version${labels} ${revision}`,
      `watch_cache_capacity${labels} 4096`,
    ])
      assert.ok(lines.includes(line), line);
  });

  it('report a store that does not answer', async () => {
    const away = (): Promise<never> => Promise.reject(new KVError('unavailable', 'away'));
    await using test = testResource({ wrapKV: (kv) => withMethods(kv, { range: away }) });
    const lines = await readingsOf({ ...test, kv: withMethods(test.kv, { status: away }) });
    assert.deepEqual(lines, [
      'apiserver_resource_objects{group="g.example",resource="things"} -1',
      'apiserver_storage_objects{resource="things.g.example"} -1',
    ]);
  });
});
