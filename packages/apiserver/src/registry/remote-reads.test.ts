import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KV, WatchSink } from '@binnacle/kv';
import { configMap, type TestResource, testResource, testScope, watchedEvents, withMethods } from '../testing/index.js';
import { ANY, demandOfList, NEWEST, presentDemandOf } from '../request/index.js';

/**
 * A store that behaves like a remote one: its watches lag until the test delivers events, and report no progress
 * unless asked.
 */
class LaggingStore {
  /** Whether the store answers requests for progress. */
  trusted = true;
  /** Whether events and answers arrive at once, or when the test calls `deliver`. */
  prompt = false;
  asked = 0;
  #sinks: WatchSink[] = [];
  #late: (() => void)[] = [];

  wrap = (kv: KV): KV =>
    withMethods(kv, {
      watch: (request, sink, signal) => {
        this.#sinks.push(sink);
        const delayed: WatchSink = {
          batch: (batch) => this.#later(() => sink.batch(batch)),
          progress: () => undefined,
          ended: (error) => this.#later(() => sink.ended(error)),
        };
        kv.watch(request, delayed, signal);
      },
      requestProgress: () => {
        if (!this.trusted) return false;
        this.asked++;
        void kv.currentRevision().then((revision) =>
          this.#later(() => {
            for (const sink of this.#sinks) sink.progress(revision);
          }),
        );
        return true;
      },
    });

  deliver(): void {
    for (const call of this.#late.splice(0)) call();
  }

  /** Breaks the feeds with `compacted` or `unavailable`. */
  break(error: Error): void {
    for (const sink of this.#sinks.splice(0)) sink.ended(error);
  }

  #later(call: () => void): void {
    this.#late.push(call);
    if (this.prompt) setImmediate(() => this.deliver());
  }
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** A write by another server on the same store. */
async function writeRemotely(resource: TestResource, name: string, prefix = '/registry/configmaps/default/') {
  const object = { ...configMap(name), metadata: { name, namespace: 'default', uid: name } };
  const value = resource.storage.codec.encode(object);
  const result = await resource.kv.txn({ key: prefix + name, expectedRevision: 0, operation: { type: 'put', value } });
  return result.revision;
}

const newest = { namespace: '' };
/** A list of all objects with the state that a client would name. */
const listFrom = (resourceVersion: string, limit = 0) => {
  const demand = demandOfList({ resourceVersion, resourceVersionMatch: 'NotOlderThan', limit, continue: '' });
  return { namespace: '', limit, demand };
};
const names = (items: readonly { readonly key: string }[]) => items.map(({ key }) => key.split('/').at(-1)).join(' ');

describe('ResourceReader over a remote store', () => {
  it('reads few objects at a time from the store, and answers more from the cache once it has their revision', async () => {
    const store = new LaggingStore();
    let ranges = 0;
    const wrapKV = (kv: KV): KV =>
      store.wrap(
        withMethods(kv, {
          range: (request, signal) => {
            ranges++;
            return kv.range(request, signal);
          },
        }),
      );
    await using resource = testResource({ wrapKV });
    await resource.cacher.ready();
    const revision = await writeRemotely(resource, 'a');
    ranges = 0;
    const found = Promise.all(Array.from({ length: 20 }, async () => resource.reader.find('default', 'a')));
    await turns();
    assert.equal(ranges, 4);
    store.prompt = true;
    store.deliver();
    assert.deepEqual(new Set((await found).map((object) => object?.revision)), new Set([revision]));
    assert.equal(ranges, 4);
  });

  it('starts the cache when many read objects at the same time', async () => {
    await using resource = testResource({ wrapKV: new LaggingStore().wrap });
    const read = async () => resource.reader.find('default', 'a');
    await read();
    assert.equal(resource.cacher.wanted, false);
    await Promise.all(Array.from({ length: 5 }, read));
    assert.equal(resource.cacher.wanted, true);
  });

  it('recognizes own writes among the events, and decodes those of others', async (context) => {
    const store = new LaggingStore();
    await using resource = testResource({ wrapKV: store.wrap });
    await resource.cacher.ready();
    const own = '/registry/configmaps/default/own';
    await resource.storage.create(own, configMap('own'), undefined);
    await writeRemotely(resource, 'other');
    const decoded = context.mock.method(resource.storage.codec, 'canonicalize');
    store.deliver();
    assert.deepEqual(decoded.mock.calls.length, 1);
    assert.ok(resource.cacher.get(own)?.isStoredCanonically);
  });

  it('deletes without reading an object that the cache has, and judges a refusal on the newest one', async () => {
    const store = new LaggingStore();
    let ranges = 0;
    const counted = (kv: KV): Partial<KV> => ({
      range: (request, signal) => {
        ranges++;
        return kv.range(request, signal);
      },
    });
    await using resource = testResource({ wrapKV: (kv) => store.wrap(withMethods(kv, counted(kv))) });
    await resource.cacher.ready();
    const a = await writeRemotely(resource, 'a');
    const b = await writeRemotely(resource, 'b');
    store.deliver();
    ranges = 0;
    await resource.store.delete(testScope(), 'a', { preconditions: { resourceVersion: String(a) } });
    assert.equal(ranges, 0);
    await assert.rejects(resource.store.delete(testScope(), 'a', {}), { code: 404 });
    const key = '/registry/configmaps/default/b';
    const value = resource.storage.codec.encode({
      ...configMap('b', { data: { changed: 'yes' } }),
      metadata: { name: 'b', namespace: 'default', uid: 'b' },
    });
    const changed = await resource.kv.txn({ key, expectedRevision: b, operation: { type: 'put', value } });
    const stale = { preconditions: { resourceVersion: String(b) } };
    await assert.rejects(resource.store.delete(testScope(), 'b', stale), { code: 409 });
    await resource.store.delete(testScope(), 'b', { preconditions: { resourceVersion: String(changed.revision) } });
    assert.equal(await resource.storage.get(key), undefined);
  });

  it('asks for a recent object only if the cache lacks it', async () => {
    const store = new LaggingStore();
    let ranges = 0;
    const counted = (kv: KV): Partial<KV> => ({
      range: (request, signal) => {
        ranges++;
        return kv.range(request, signal);
      },
    });
    await using resource = testResource({ wrapKV: (kv) => store.wrap(withMethods(kv, counted(kv))) });
    await resource.cacher.ready();
    const revision = await writeRemotely(resource, 'a');
    ranges = 0;
    assert.equal((await resource.reader.findRecent('default', 'a'))?.revision, revision);
    assert.equal(ranges, 1);
    store.deliver();
    const cached = resource.reader.findRecent('default', 'a');
    assert.equal(cached instanceof Promise ? 'later' : cached?.revision, revision);
    assert.equal(await resource.reader.findRecent('default', 'b'), undefined);
    assert.equal(ranges, 2);
  });

  for (const trusted of [true, false]) {
    it(`sees writes of other servers, ${trusted ? 'by progress' : 'by reading the store'}`, async () => {
      const store = new LaggingStore();
      await using resource = testResource({ wrapKV: store.wrap });
      await resource.cacher.ready();
      store.trusted = trusted;
      store.prompt = trusted;
      for (let index = 0; index < 5; index++) {
        const revision = await writeRemotely(resource, `o${index}`);
        const one = await resource.reader.find('default', `o${index}`);
        assert.equal(one?.revision, revision);
        const list = await resource.reader.list(newest);
        assert.equal(list.items.length, index + 1);
        const least = await resource.reader.list(listFrom(String(revision)));
        assert.equal(least.items.length, index + 1);
        const selected = await resource.reader.list({ ...newest, filter: ({ key }) => key.endsWith(`o${index}`) });
        assert.equal(names(selected.items), `o${index}`);
        // No object of this kind changes: only progress can show that the cache is current.
        const other = await writeRemotely(resource, `x${index}`, '/registry/others/');
        assert.ok((await resource.reader.list(newest)).revision >= other);
      }
      assert.equal(store.asked > 0, trusted);
      assert.equal(resource.cacher.revision > 1, trusted, 'the cache lags unless the store reports progress');
    });

    it(`lists, then watches, and misses no event, ${trusted ? 'by progress' : 'by reading the store'}`, async () => {
      const store = new LaggingStore();
      await using resource = testResource({ wrapKV: store.wrap });
      await resource.cacher.ready();
      store.trusted = trusted;
      store.prompt = trusted;
      const a = await writeRemotely(resource, 'a');
      const { revision, items } = await resource.reader.list(newest);
      assert.equal(names(items), 'a');
      const target = { namespace: '', filter: undefined };
      const watch = await resource.reader.watch(target, presentDemandOf(String(revision)), false);
      const streamed = await resource.reader.watch(target, NEWEST, true);
      const b = await writeRemotely(resource, 'b');
      const now = await resource.reader.watch({ ...target, filter: () => true }, NEWEST, false);
      const c = await writeRemotely(resource, 'c');
      await turns();
      store.deliver();
      assert.deepEqual(watchedEvents(watch.watcher), [`ADDED b ${b}`, `ADDED c ${c}`]);
      assert.equal(streamed.initialCount, 1);
      assert.deepEqual(watchedEvents(streamed.watcher), [`ADDED a ${a}`, `ADDED b ${b}`, `ADDED c ${c}`]);
      assert.deepEqual(watchedEvents(now.watcher), [`ADDED c ${c}`]);
    });
  }

  it('requests progress at once, then every 100 ms, and once for concurrent readers', async () => {
    const store = new LaggingStore();
    await using resource = testResource({ wrapKV: store.wrap });
    await resource.cacher.ready();
    const far = String((await resource.storage.currentRevision()) + 1000);
    const reads = Array.from({ length: 20 }, () => assert.rejects(resource.reader.list(listFrom(far)), { code: 504 }));
    await turns();
    assert.equal(store.asked, 1);
    store.deliver();
    await turns();
    assert.equal(store.asked, 2, 'for those who came while the first was under way');
    store.deliver();
    for (let step = 1; step < 30; step++) {
      await resource.clock.advance(100);
      await turns();
      store.deliver();
    }
    assert.ok(store.asked > 25 && store.asked < 35);
    await resource.clock.advance(100);
    await Promise.all(reads);
    const { asked } = store;
    await resource.clock.advance(1000);
    assert.equal(store.asked, asked, 'no reader still waits');
  });

  it('sends the revision of the whole store to an idle watch', async () => {
    const store = new LaggingStore();
    await using resource = testResource({ wrapKV: store.wrap });
    const watch = await resource.reader.watch({ namespace: '', filter: undefined }, NEWEST, true);
    const other = await writeRemotely(resource, 'x', '/registry/others/');
    assert.ok(watch.revision() < other);
    await resource.clock.advance(30_000);
    await turns();
    store.deliver();
    assert.equal(watch.revision(), other);
    resource.cacher.stop();
    const { asked } = store;
    await resource.clock.advance(60_000);
    assert.equal(store.asked, asked);
  });

  it('answers gets and pages from the store while the feed is lost, and 429 to other reads', async () => {
    const store = new LaggingStore();
    await using resource = testResource({ wrapKV: store.wrap });
    await writeRemotely(resource, 'a');
    const target = { namespace: '', filter: undefined };
    const watch = await resource.reader.watch(target, NEWEST, true);
    store.break(new Error('unavailable'));
    assert.deepEqual(watch.watcher.ended, { type: 'feed-lost' });
    const b = await writeRemotely(resource, 'b');
    assert.equal((await resource.reader.find('default', 'b'))?.revision, b);
    assert.equal((await resource.reader.find('default', 'b', ANY))?.revision, b);
    assert.equal((await resource.reader.find('default', 'b', presentDemandOf(String(b))))?.revision, b);
    await assert.rejects(async () => resource.reader.find('default', 'b', presentDemandOf(String(b + 9))), {
      code: 504,
    });
    assert.equal(names((await resource.reader.list({ ...newest, limit: 5 })).items), 'a b');
    await assert.rejects(resource.reader.list(listFrom(String(b + 9), 5)), { code: 504 });
    for (const resourceVersion of ['', '0', String(b)]) {
      await assert.rejects(resource.reader.list(listFrom(resourceVersion)), { code: 429 });
      await assert.rejects(resource.reader.list({ ...listFrom(resourceVersion, 5), filter: () => true }), {
        code: 429,
      });
      await assert.rejects(resource.reader.watch(target, presentDemandOf(resourceVersion), resourceVersion === ''), {
        code: 429,
      });
    }
    const again = resource.cacher.ready();
    await resource.clock.advance(1000);
    await again;
    const resumed = await resource.reader.watch(target, presentDemandOf(String(b - 1)), false);
    await turns();
    store.deliver();
    assert.deepEqual(watchedEvents(resumed.watcher), [`ADDED b ${b}`]);
  });
});
