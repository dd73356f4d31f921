import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { formatText, MetricRegistry } from '@binnacle/apimachinery/metrics';
import { parseRequestInfo } from '../request/index.js';
import { ResourceReader } from '../registry/index.js';
import { ObjectStorage } from '../storage/index.js';
import { configMap, type TestResource, testResource, testScope } from '../testing/index.js';
import { ResourceMetrics } from './resource-metrics.js';

const RESOURCE = { group: '', resource: 'configmaps' };

class Counted {
  readonly #registry = new MetricRegistry();
  readonly metrics = new ResourceMetrics(this.#registry, new VirtualClock());

  /** The values of the resource's metrics, without labels. */
  async values(name: RegExp): Promise<string[]> {
    const lines = formatText(await this.#registry.gather()).split('\n');
    return lines
      .filter((line) => name.test(line))
      .map((line) => line.replace(/group="",|resource="configmaps",?|,resource="configmaps"/g, ''));
  }
}

async function withObjects(test: TestResource, names: readonly string[]): Promise<void> {
  for (const name of names) await test.store.create(testScope(), configMap(name));
}

describe('resource metrics', () => {
  it('time watch lists by scope, and the rules of custom resources', async () => {
    const counted = new Counted();
    const { metrics } = counted;
    const watched = metrics.watchLists({ ...RESOURCE, version: 'v1' });
    const watch = new URLSearchParams('watch=1');
    watched(parseRequestInfo('GET', '/api/v1/namespaces/shop/configmaps', watch), 70);
    watched(parseRequestInfo('GET', '/api/v1/configmaps', watch), 20);
    metrics.rules.compiling()();
    metrics.rules.evaluating()();
    metrics.rules.evaluating()();
    const lines = await counted.values(/^apiserver_(watch_list_duration_seconds.*le="0.05"|cel_.*_count)/);
    assert.deepEqual(lines, [
      'apiserver_cel_compilation_duration_seconds_count 1',
      'apiserver_cel_evaluation_duration_seconds_count 2',
      'apiserver_watch_list_duration_seconds_bucket{scope="namespace",version="v1",le="0.05"} 0',
      'apiserver_watch_list_duration_seconds_bucket{scope="cluster",version="v1",le="0.05"} 1',
    ]);
  });

  it('count store requests and their failures', async () => {
    const counted = new Counted();
    await using test = testResource();
    const { codec, prefix } = test.storage;
    const storage = new ObjectStorage({ kv: test.kv, codec, prefix, observer: counted.metrics.storage(RESOURCE) });
    const object = configMap('a');
    object.metadata.uid = 'u';
    const key = `${prefix}default/a`;
    await storage.create(key, object);
    assert.equal(await storage.create(key, object), undefined, 'refused, and no failure');
    await storage.get(key);
    await storage.list(prefix, {});
    await assert.rejects(storage.list(prefix, { revision: 99 }));
    await storage.update(key, undefined, () => ({ type: 'delete' }));
    assert.deepEqual(await counted.values(/^etcd_request(s|_errors)_total\{/), [
      'etcd_request_errors_total{operation="list"} 1',
      'etcd_requests_total{operation="create"} 2',
      'etcd_requests_total{operation="get"} 2',
      'etcd_requests_total{operation="list"} 2',
      'etcd_requests_total{operation="delete"} 1',
    ]);
    assert.match((await counted.values(/^etcd_request_duration_seconds_count/)).join(), /operation="list"\} 2/);
  });

  for (const watchCache of [true, false]) {
    const source = watchCache ? 'cache' : 'storage';
    it(`count the cost of lists from the ${source}`, async () => {
      const counted = new Counted();
      await using test = testResource();
      await withObjects(test, ['a', 'b', 'c', 'd']);
      await test.cacher.ready();
      const { resource } = test.store.info;
      const observer = counted.metrics.lists(resource);
      const reader = new ResourceReader(test.store.info, test.storage, test.cacher, { watchCache, observer });
      const whole = { namespace: '' };
      await reader.list(whole);
      await reader.list({ ...whole, limit: 1 });
      await reader.list({ ...whole, filter: ({ key }) => key.endsWith('b') });
      await reader.list({ ...whole, demand: { type: 'any' } });
      const index = watchCache ? 'index=""' : '';
      const values = await counted.values(new RegExp(`^apiserver_${source}_list.*_total\\{`));
      assert.deepEqual(values, [
        ...(watchCache ? [] : ['apiserver_storage_list_evaluated_objects_total{} 4']),
        `apiserver_${source}_list_fetched_objects_total{${index}} 13`,
        `apiserver_${source}_list_returned_objects_total{} 10`,
        `apiserver_${source}_list_total{${index}} 4`,
      ]);
      assert.deepEqual(
        await counted.values(/^apiserver_watch_cache_consistent/),
        watchCache ? ['apiserver_watch_cache_consistent_read_total{fallback="false",success="true"} 3'] : [],
      );
    });
  }

  it('count objects that cannot be read', async () => {
    const told: (readonly string[])[] = [];
    const registry = new MetricRegistry();
    const metrics = new ResourceMetrics(registry, new VirtualClock(), (keys) => told.push(keys));
    const observer = metrics.storage(RESOURCE);
    observer.damaged([]);
    observer.damaged(['a', 'b']);
    assert.deepEqual(told, [[], ['a', 'b']]);
    const text = formatText(await registry.gather());
    assert.match(text, /^apiserver_storage_decode_errors_total\{group="",resource="configmaps"\} 2$/m);
  });

  it('count watch events and their bytes', async () => {
    const counted = new Counted();
    const sent = counted.metrics.watchEvents({ ...RESOURCE, version: 'v1' });
    assert.deepEqual(await counted.values(/^apiserver_watch/), [], 'no series before the first event');
    for (const bytes of [100, 1024, 5000]) sent(bytes);
    const values = await counted.values(
      /^apiserver_watch_events_(total|sizes_(bucket|sum|count)).*(le="(1024|2048)"|v1")\} /,
    );
    assert.deepEqual(values, [
      'apiserver_watch_events_sizes_bucket{version="v1",le="1024"} 2',
      'apiserver_watch_events_sizes_bucket{version="v1",le="2048"} 2',
      'apiserver_watch_events_sizes_sum{version="v1"} 6124',
      'apiserver_watch_events_sizes_count{version="v1"} 3',
      'apiserver_watch_events_total{version="v1"} 3',
    ]);
  });

  it('measure the wait for a fresh cache', async () => {
    const counted = new Counted();
    await using test = testResource({ cacher: { waited: counted.metrics.readWaits(RESOURCE) } });
    await test.cacher.ready();
    await test.reader.find('default', 'a');
    const waiting = test.cacher.waitFor(test.cacher.revision + 1, 60_000);
    await withObjects(test, ['a']);
    assert.equal(await waiting, 'reached');
    assert.match((await counted.values(/^apiserver_watch_cache_read_wait_seconds_count/)).join(), /\} 2$/);
  });
});
