import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KV, WatchSink } from '@binnacle/kv';
import { configMap, type TestResource, testResource, withMethods } from '../testing/index.js';
import type { FeedGate } from './feed-gate.js';

const PREFIX = '/registry/configmaps/';
/** Longer than one slice. */
const LONG_MS = 8;
const keyOf = (index: number): string => `${PREFIX}default/object-${index}`;

const put = (resource: TestResource, index: number, version: number) =>
  resource.storage.update(keyOf(index), undefined, () => ({
    type: 'write',
    object: configMap(`object-${index}`, { data: { version: `${version}` } }),
  }));

const remove = (resource: TestResource, index: number) =>
  resource.storage.update(keyOf(index), undefined, () => ({ type: 'delete' }));

/** The objects as a list returns them. */
const shown = (objects: Iterable<{ json(): Buffer }>): string[] =>
  Array.from(objects, (object) => object.json().toString());

/** The store; `onRead` is called for each value that is read in place. */
function observed(kv: KV, onRead: () => void): KV {
  const openReader = (revision: number) => {
    const reader = kv.openReader?.(revision);
    assert.ok(reader !== undefined);
    return {
      advance: (to: number) => reader.advance(to),
      load: (modRevision: number) => reader.load(modRevision),
      close: () => reader.close(),
      read: (modRevision: number) => {
        onRead();
        return reader.read(modRevision);
      },
    };
  };
  return withMethods(kv, { openReader });
}

describe('a cache over an in-process store', () => {
  it('leaves the bytes of its objects in the store, whether built or written', async () => {
    let reads = 0;
    await using resource = testResource({ wrapKV: (kv) => observed(kv, () => (reads += 1)) });
    await put(resource, 0, 0);
    await resource.cacher.ready();
    await put(resource, 1, 0);
    for (const object of resource.cacher.range(PREFIX)) {
      const before = reads;
      assert.ok(object.json().toString().includes('"version":"0"'));
      assert.ok(reads > before, object.key);
    }
  });

  it('leaves values of an older server in the store, unless their canonical bytes differ', async () => {
    let reads = 0;
    await using resource = testResource({ wrapKV: (kv) => observed(kv, () => (reads += 1)) });
    const canonical = resource.storage.codec.encode(configMap('object-0', {}));
    const other = Buffer.from(JSON.stringify({ metadata: { name: 'object-1' }, kind: 'ConfigMap', apiVersion: 'v1' }));
    for (const [index, value] of [canonical, other].entries()) {
      await resource.kv.txn({ key: keyOf(index), expectedRevision: 0, operation: { type: 'put', value } });
    }
    await resource.cacher.ready();
    assert.equal(reads, 2, 'each is decoded once');
    const objects = Array.from(resource.cacher.range(PREFIX));
    const first = shown(objects);
    assert.match(first.join(), /^\{"kind":"ConfigMap",.*"object-0".*,\{"kind":"ConfigMap",.*"object-1"/);
    const before = reads;
    assert.deepEqual(shown(objects), first);
    assert.equal(reads, before + 1, 'only the one whose bytes the store holds is read again');
  });

  it('is built in slices, between which other work runs', async (context) => {
    await using resource = testResource();
    const { storage } = resource;
    const page = storage.page.bind(storage);
    context.mock.method(storage, 'page', (...parameters: Parameters<typeof page>) => {
      const begun = performance.now();
      while (performance.now() - begun < LONG_MS);
      return page(...parameters);
    });
    const value = Buffer.from('{"apiVersion":"v1"}');
    const operation = { type: 'put', value } as const;
    for (let index = 0; index < 2100; index++) {
      await resource.kv.txn({ key: keyOf(index), expectedRevision: 0, operation });
    }
    let turns = 0;
    let built = false;
    const count = (): void => {
      turns++;
      if (!built) setImmediate(count);
    };
    setImmediate(count);
    await resource.cacher.ready();
    built = true;
    assert.equal(resource.cacher.size, 2100);
    assert.ok(turns >= 4, `${turns} turns for five pages`);
  });

  it('returns a list unchanged while its objects are replaced, deleted and compacted', async () => {
    await using resource = testResource();
    for (let index = 0; index < 20; index++) await put(resource, index, 0);
    await resource.cacher.ready();
    const listed = Array.from(resource.cacher.range(PREFIX));
    const expected = shown(listed);
    for (let index = 0; index < 20; index++) {
      if (index % 2 === 0) await put(resource, index, 1);
      else await remove(resource, index);
    }
    await resource.kv.compact(await resource.kv.currentRevision());
    assert.deepEqual(shown(listed), expected);
    assert.equal(resource.cacher.size, 10);
    for (const object of resource.cacher.range(PREFIX)) assert.ok(object.json().toString().includes('"version":"1"'));
  });

  it('serves what its feed has not changed yet, because compaction waits', async () => {
    const pending: (() => void)[] = [];
    let isHeld = false;
    const pass = (call: () => void): void => {
      if (isHeld) pending.push(call);
      else call();
    };
    const feedGate: FeedGate = {
      get held() {
        return isHeld;
      },
      guard: (sink: WatchSink): WatchSink => ({
        batch: (batch) => pass(() => sink.batch(batch)),
        progress: (revision) => pass(() => sink.progress(revision)),
        ended: (error) => pass(() => sink.ended(error)),
      }),
    };
    await using resource = testResource({ cacher: { feedGate } });
    await put(resource, 0, 0);
    await resource.cacher.ready();
    isHeld = true;
    await put(resource, 0, 1);
    const compaction = resource.kv.compact(await resource.kv.currentRevision());
    await put(resource, 1, 0);
    assert.match(shown(resource.cacher.range(PREFIX)).join(), /"version":"0"/);
    isHeld = false;
    for (const call of pending) call();
    await compaction;
    assert.match(shown(resource.cacher.range(PREFIX)).join(), /"version":"1".*"version":"0"/);
  });
  it('trusts no forged bytes that hold no object', async () => {
    await using resource = testResource();
    const { storage, kv, cacher } = resource;
    await put(resource, 0, 0);
    const { fingerprint: tag = 0 } = storage.codec;
    const forged = { type: 'put', value: Buffer.from('garbage'), tag } as const;
    await kv.txn({ key: keyOf(1), expectedRevision: 0, operation: forged });
    await cacher.ready();
    assert.deepEqual([cacher.size, cacher.damaged], [1, [keyOf(1)]]);
  });
});
