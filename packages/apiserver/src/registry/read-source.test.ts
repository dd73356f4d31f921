import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as loop } from 'node:timers/promises';
import type { KV } from '@binnacle/kv';
import type { StateDemand } from '../request/index.js';
import { configMap, testResource, withDamagedValue, withMethods } from '../testing/index.js';
import { type Circumstances, nextStep, type ReadRequest, ReadSources, type ReadStep } from './read-source.js';

const newest: StateDemand = { type: 'newest' };
const any: StateDemand = { type: 'any' };
const atLeast: StateDemand = { type: 'at-least', revision: 5 };
const exactly: StateDemand = { type: 'exactly', revision: 5 };

const local: Circumstances = {
  cache: 'built',
  isRemote: false,
  isCrowded: false,
  attempted: false,
  freshness: undefined,
};

describe('nextStep', () => {
  type Case = [now: Partial<Circumstances>, cost: ReadRequest['cost'], demand: StateDemand, step: ReadStep];
  const cases: Case[] = [
    [{}, 'object', newest, 'wait'],
    [{}, 'page', newest, 'wait'],
    [{}, 'collection', newest, 'wait'],
    [{}, 'collection', any, 'cache'],
    [{}, 'collection', atLeast, 'wait'],
    [{}, 'collection', exactly, 'past'],
    [{ freshness: 'reached' }, 'collection', newest, 'cache'],
    [{ freshness: 'unknown' }, 'collection', newest, 'store'],
    [{ freshness: 'unknown' }, 'object', atLeast, 'store'],

    [{ isRemote: true }, 'object', newest, 'store'],
    [{ isRemote: true, cache: 'unused' }, 'object', newest, 'store'],
    [{ isRemote: true, isCrowded: true }, 'object', newest, 'wait'],
    [{ isRemote: true, isCrowded: true, freshness: 'reached' }, 'object', newest, 'cache'],
    [{ isRemote: true, isCrowded: true, freshness: 'unknown' }, 'object', newest, 'store'],
    [{ isRemote: true, isCrowded: true, cache: 'unused' }, 'object', newest, 'start'],
    [{ isRemote: true, isCrowded: true, cache: 'lost' }, 'object', newest, 'store'],
    [{ isRemote: true }, 'object', atLeast, 'wait'],
    [{ isRemote: true }, 'object', any, 'cache'],
    [{ isRemote: true }, 'page', newest, 'wait'],

    [{ cache: 'off' }, 'object', newest, 'store'],
    [{ cache: 'off' }, 'collection', any, 'store'],
    [{ cache: 'off' }, 'collection', atLeast, 'store'],
    [{ cache: 'off' }, 'page', exactly, 'past'],

    [{ cache: 'unused' }, 'object', any, 'start'],
    [{ cache: 'unused' }, 'collection', exactly, 'start'],

    [{ cache: 'lost' }, 'object', newest, 'store'],
    [{ cache: 'lost' }, 'object', any, 'store'],
    [{ cache: 'lost' }, 'page', newest, 'store'],
    [{ cache: 'lost' }, 'page', atLeast, 'store'],
    [{ cache: 'lost' }, 'page', exactly, 'past'],
    [{ cache: 'lost' }, 'page', any, 'build'],
    [{ cache: 'lost', attempted: true }, 'page', any, 'store'],
    [{ cache: 'lost' }, 'collection', newest, 'build'],
    [{ cache: 'lost' }, 'collection', exactly, 'build'],
    [{ cache: 'lost', attempted: true }, 'collection', newest, 'refuse'],
    [{ cache: 'lost', attempted: true }, 'collection', exactly, 'refuse'],
    [{ cache: 'lost', freshness: 'reached', attempted: true }, 'collection', newest, 'refuse'],
    [{ cache: 'lost', freshness: 'unknown' }, 'object', newest, 'store'],
  ];
  for (const [now, cost, demand, step] of cases) {
    it(`${JSON.stringify(now)} ${cost} ${demand.type}: ${step}`, () => {
      assert.equal(nextStep({ demand, cost }, { ...local, ...now }), step);
    });
  }
});

describe('ReadSources', () => {
  const KEY = '/registry/configmaps/default/a';
  const create = async ({ storage }: ReturnType<typeof testResource>, key = KEY) =>
    (await storage.create(key, configMap('a'), undefined))?.revision ?? 0;
  const wholeList = { cost: 'collection', keys: '/registry/configmaps/' } as const;

  it('answers from the cache, from its past, or from the history', async () => {
    await using resource = testResource({ cacher: { windowSize: 2 } });
    const sources = new ReadSources(resource.storage, resource.cacher, true);
    const first = await create(resource);
    assert.deepEqual(await sources.choose({ ...wholeList, demand: newest }), { from: 'cache' });
    for (const name of 'bcde') await create(resource, `/registry/configmaps/default/${name}`);
    const demand: StateDemand = { type: 'exactly', revision: first + 3 };
    assert.deepEqual(await sources.choose({ ...wholeList, demand }), { from: 'past', revision: first + 3 });
    await resource.kv.compact(first + 4);
    assert.deepEqual(await sources.choose({ ...wholeList, demand }), { from: 'store', revision: first + 3 });
  });

  it('does not wait for a future revision that the store has not', async () => {
    await using resource = testResource();
    const sources = new ReadSources(resource.storage, resource.cacher, false);
    const revision = (await create(resource)) + 1;
    const tooLarge = {
      code: 504,
      message: `Timeout: Too large resource version: ${revision}, current: ${revision - 1}`,
    };
    await assert.rejects(sources.choose({ ...wholeList, demand: { type: 'at-least', revision } }), tooLarge);
    const present = await sources.choose({ ...wholeList, demand: { type: 'at-least', revision: revision - 1 } });
    assert.deepEqual(present, { from: 'store', revision: undefined });
  });

  it('reads unreadable objects from the store, which reports them', async () => {
    await using resource = testResource({ wrapKV: (kv) => withDamagedValue(kv, KEY) });
    const sources = new ReadSources(resource.storage, resource.cacher, true);
    const revision = await create(resource);
    const damaged = { from: 'store', revision: undefined };
    assert.deepEqual(await sources.choose({ ...wholeList, demand: newest }), damaged);
    assert.deepEqual(await sources.choose({ cost: 'object', keys: KEY, demand: any }), damaged);
    assert.deepEqual(await sources.choose({ ...wholeList, keys: `${KEY}/`, demand: newest }), { from: 'cache' });
    assert.deepEqual(await sources.choose({ ...wholeList, keys: undefined, demand: any }), { from: 'cache' });
    const then: StateDemand = { type: 'exactly', revision };
    assert.deepEqual(await sources.choose({ ...wholeList, demand: then }), { from: 'store', revision });
  });

  it('reads an object at once only from a cache that is known to be fresh', async () => {
    for (const isRemote of [false, true]) {
      const wrapKV = (kv: KV): KV => (isRemote ? withMethods(kv, { requestProgress: () => true }) : kv);
      await using resource = testResource({ wrapKV });
      const sources = new ReadSources(resource.storage, resource.cacher, true);
      const sourceOf = (demand: StateDemand) =>
        sources.readObject({ demand, keys: KEY }, ({ from }) => `${from} ${resource.cacher.revision}`);
      assert.ok(sourceOf(newest) instanceof Promise, 'the cache is not built yet');
      await resource.cacher.ready();
      const revision = await create(resource);
      assert.equal(sourceOf(any), `cache ${revision}`);
      assert.equal(sourceOf({ type: 'at-least', revision }), `cache ${revision}`);
      assert.equal(await sourceOf({ type: 'exactly', revision }), `past ${revision}`);
      if (isRemote) assert.equal(await sourceOf(newest), `store ${revision}`);
      else assert.equal(sourceOf(newest), `cache ${revision}`);
      const waiting = sourceOf({ type: 'at-least', revision: revision + 1 });
      await create(resource, `${KEY}2`);
      assert.equal(await waiting, `cache ${revision + 1}`);
    }
  });

  it('reads the newest state from the store when the cache stays behind', async () => {
    const deaf: KV['watch'] = () => undefined;
    await using resource = testResource({ wrapKV: (kv) => withMethods(kv, { watch: deaf }) });
    const sources = new ReadSources(resource.storage, resource.cacher, true);
    await resource.cacher.ready();
    await create(resource);
    const source = sources.choose({ ...wholeList, demand: newest });
    await resource.clock.advance(3000);
    assert.deepEqual(await source, { from: 'store', revision: undefined });
  });

  it('ends the wait for the cache with its request', async () => {
    const range = () => new Promise<never>(() => undefined);
    await using resource = testResource({ wrapKV: (kv) => withMethods(kv, { range }) });
    const sources = new ReadSources(resource.storage, resource.cacher, true);
    const request = new AbortController();
    const source = sources.choose({ ...wholeList, demand: newest, signal: request.signal });
    const reason = new Error('the client has gone');
    request.abort(reason);
    await assert.rejects(source, reason);
  });

  it('waits for the index that the read uses', async () => {
    await using resource = testResource();
    const sources = new ReadSources(resource.storage, resource.cacher, true);
    await create(resource);
    const field = 'metadata.name';
    assert.deepEqual(await sources.choose({ ...wholeList, demand: newest, field }), { from: 'cache' });
    assert.equal(resource.cacher.indexing(field), undefined, 'the index is complete');
  });

  it('waits for a remote store once, also in a later turn', async (context) => {
    await using resource = testResource();
    const { storage } = resource;
    const sources = new ReadSources(storage, resource.cacher, true);
    await create(resource);
    await sources.choose({ ...wholeList, demand: newest });
    let asked = 0;
    const answer = storage.currentRevision.bind(storage);
    context.mock.method(storage, 'currentRevision', () => {
      asked++;
      return answer();
    });
    await loop();
    let time = 0;
    context.mock.method(performance, 'now', () => time);
    const reads = Array.from({ length: 5 }, () =>
      sources.read({ ...wholeList, demand: newest }, ({ from }) => {
        time += 10;
        return from;
      }),
    );
    assert.deepEqual(new Set(await Promise.all(reads)), new Set(['cache']));
    assert.equal(asked, reads.length);
  });

  it('gives reads of many objects that arrive together turns of their own', async (context) => {
    await using resource = testResource();
    const sources = new ReadSources(resource.storage, resource.cacher, true);
    await create(resource);
    await sources.choose({ ...wholeList, demand: newest });
    // By then, the turn of the requests above is over.
    await loop();
    let time = 0;
    context.mock.method(performance, 'now', () => time);
    for (const cost of ['collection', 'object'] as const) {
      let turn = 0;
      let isOver = false;
      const count = (): void => {
        turn++;
        if (!isOver) setImmediate(count);
      };
      setImmediate(count);
      const read = (): Promise<number> =>
        sources.read({ cost, keys: KEY, demand: newest }, () => {
          time += 10;
          return turn;
        });
      const turns = await Promise.all([read(), read(), read()]);
      isOver = true;
      assert.equal(new Set(turns).size, cost === 'collection' ? 3 : 1);
    }
  });
});
