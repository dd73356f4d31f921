import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KV, WatchSink } from '@binnacle/kv';
import { Cacher } from './cacher.js';
import { configMap, type TestResource, testResource, watchedEvents, withMethods } from '../testing/index.js';

const PREFIX = '/registry/configmaps/';

async function put(resource: TestResource, name: string, data = ''): Promise<number> {
  const result = await resource.storage.update(`${PREFIX}default/${name}`, undefined, (current) => {
    const object = current?.decode() ?? configMap(name);
    object.metadata.uid = name;
    object.data = { data, version: String((current?.revision ?? 0) + 1) };
    return { type: 'write', object };
  });
  return result.stored?.revision ?? 0;
}

const remove = (resource: TestResource, name: string) =>
  resource.storage.update(`${PREFIX}default/${name}`, undefined, () => ({ type: 'delete' }));

const names = (resource: TestResource): (string | undefined)[] =>
  [...resource.cacher.range(PREFIX)].map(({ key }) => key.split('/').at(-1));

const namesAt = (resource: TestResource, revision: number): (string | undefined)[] | undefined => {
  const state = resource.cacher.stateAt(revision);
  return state && [...state.range(PREFIX)].map(({ key }) => key.split('/').at(-1));
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('Cacher', () => {
  it('holds the objects of the store in key order', async () => {
    await using resource = testResource();
    for (const name of ['b', 'a']) await put(resource, name);
    await resource.cacher.ready();
    await put(resource, 'aa');
    await remove(resource, 'b');
    assert.deepEqual(names(resource), ['a', 'aa']);
    assert.equal(resource.cacher.count(PREFIX), 2);
    assert.equal(resource.cacher.revision, await resource.storage.currentRevision());
  });

  it('follows the revision of the whole store', async () => {
    await using resource = testResource();
    await resource.cacher.ready();
    await resource.kv.txn({ key: '/other', expectedRevision: 0, operation: { type: 'put', value: Buffer.from('x') } });
    assert.equal(resource.cacher.revision, await resource.storage.currentRevision());
  });

  it('waits for a revision until the timeout', async () => {
    await using resource = testResource();
    await resource.cacher.ready();
    const next = resource.cacher.revision + 1;
    const reached = resource.cacher.waitFor(next, 3000);
    const never = resource.cacher.waitFor(next + 100, 3000);
    await put(resource, 'a');
    assert.equal(await reached, 'reached');
    await resource.clock.advance(3000);
    assert.equal(await never, 'late');
    const stopped = resource.cacher.waitFor(next + 100, 3000);
    resource.cacher.stop();
    assert.equal(await stopped, 'late');
    assert.equal(await resource.cacher.waitFor(next + 100, 3000), 'late');
  });

  it('replays its window to late watchers, and history to later ones', async () => {
    await using resource = testResource({ cacher: { windowSize: 4 } });
    const start = await resource.storage.currentRevision();
    await resource.cacher.ready();
    for (let index = 0; index < 12; index++) await put(resource, `o${index}`);
    const all = Array.from({ length: 12 }, (_, index) => `ADDED o${index} ${start + 1 + index}`);
    const late = resource.cacher.watch({ prefix: PREFIX, filter: undefined, fromRevision: start + 10 });
    assert.deepEqual(watchedEvents(late.watcher), all.slice(10));

    const early = resource.cacher.watch({ prefix: PREFIX, filter: undefined, fromRevision: start });
    assert.equal(early.revision(), 0, 'nothing has been delivered yet');
    while (early.revision() < resource.cacher.revision) await turn();
    assert.deepEqual(watchedEvents(early.watcher), all);
    assert.equal(early.revision(), resource.cacher.revision);
    await put(resource, 'last');
    assert.deepEqual(watchedEvents(early.watcher), [`ADDED last ${start + 13}`]);
    resource.cacher.stop();
    assert.deepEqual(early.watcher.ended, { type: 'stopped' });
  });

  it('ends a watch from before a compaction with expired', async () => {
    await using resource = testResource();
    for (const name of ['a', 'b', 'c']) await put(resource, name);
    await resource.kv.compact(await resource.storage.currentRevision());
    await resource.cacher.ready();
    const { watcher } = resource.cacher.watch({ prefix: PREFIX, filter: undefined, fromRevision: 1 });
    await turn();
    assert.ok(watcher.ended?.type === 'failed');
    assert.equal((watcher.ended.error as { code?: string }).code, 'expired');
  });

  it('drops changes by age, count and bytes, and then cannot answer past states from them', async () => {
    await using resource = testResource({ cacher: { windowMs: 1000, windowBytes: 4000 } });
    await resource.cacher.ready();
    const first = await put(resource, 'a');
    const second = await put(resource, 'b');
    assert.deepEqual(namesAt(resource, first), ['a']);
    assert.deepEqual(namesAt(resource, second), ['a', 'b']);
    resource.clock.skip(2000);
    await resource.kv.txn({ key: '/other', expectedRevision: 0, operation: { type: 'put', value: Buffer.from('x') } });
    assert.equal(namesAt(resource, first), undefined);
    assert.deepEqual(namesAt(resource, second), ['a', 'b']);
    const from = await put(resource, 'c');
    for (let index = 0; index < 4; index++) await put(resource, `big${index}`, 'x'.repeat(2000));
    // The window no longer reaches back that far, and history fills in without a gap.
    const { watcher } = resource.cacher.watch({ prefix: PREFIX, filter: undefined, fromRevision: from });
    assert.equal(watcher.idle, true);
    await turn();
    assert.equal(watcher.take().length, 4);
  });

  it('drops no change when the wall clock is set', async () => {
    await using resource = testResource();
    const { storage } = resource;
    const { clock, random } = resource;
    const cacher = new Cacher({ storage, clock, random });
    try {
      await cacher.ready();
      const first = await put(resource, 'a');
      clock.jump(7_200_000);
      const second = await put(resource, 'b');
      await cacher.ready();
      assert.ok(cacher.stateAt(first) !== undefined && cacher.stateAt(second) !== undefined);
    } finally {
      cacher.stop();
    }
  });

  it('sends the initial state, then every change', async () => {
    await using resource = testResource();
    const one = await put(resource, 'a');
    await resource.cacher.ready();
    const watch = resource.cacher.watch({ prefix: PREFIX, filter: undefined, fromRevision: undefined });
    const two = await put(resource, 'b');
    assert.equal(watch.initialCount, 1);
    assert.equal(watch.initialRevision, one);
    assert.deepEqual(watchedEvents(watch.watcher), [`ADDED a ${one}`, `ADDED b ${two}`]);
    watch.stop();
    await put(resource, 'c');
    assert.equal(watch.watcher.idle, true);
  });

  it('ends its watchers and rebuilds when its feed breaks', async () => {
    let sink: WatchSink | undefined;
    const wrapKV = (kv: KV): KV =>
      withMethods(kv, {
        watch: (request, given, signal) => {
          sink = given;
          kv.watch(request, given, signal);
        },
      });
    await using resource = testResource({ wrapKV });
    await put(resource, 'a');
    await resource.cacher.ready();
    const { watcher } = resource.cacher.watch({ prefix: PREFIX, filter: undefined, fromRevision: undefined });
    sink?.ended(new Error('the connection is lost'));
    assert.equal(resource.cacher.built, false);
    assert.equal(watcher.ended?.type, 'feed-lost');
    const again = resource.cacher.ready();
    await resource.clock.advance(1000);
    await again;
    assert.equal(resource.cacher.built, true);
    assert.deepEqual(names(resource), ['a']);
  });

  it('retries when the store is unavailable at the start', async () => {
    let away = true;
    const wrapKV = (kv: KV): KV =>
      withMethods(kv, {
        range: (...parameters) => (away ? Promise.reject(new Error('away')) : kv.range(...parameters)),
      });
    await using resource = testResource({ wrapKV });
    const ready = resource.cacher.ready();
    await turn();
    assert.equal(resource.cacher.built, false);
    away = false;
    await resource.clock.advance(1000);
    await ready;
    assert.equal(resource.cacher.built, true);
  });
});
