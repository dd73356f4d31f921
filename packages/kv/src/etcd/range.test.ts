import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type KeyValue, KVError, type RangeRequest } from '../interface/index.js';
import type { RangeCall } from './messages/kv-messages.js';
import { readRange } from './range.js';

const PROBE = Buffer.from('probe');
const keyOf = (index: number) => `/a/${String(index).padStart(6, '0')}`;
const item = (index: number, bytes: number): KeyValue => ({
  key: keyOf(index),
  value: Buffer.alloc(bytes),
  createRevision: 1,
  modRevision: 1,
});

/** Reads from a store of `count` keys at revision 9, and returns the result and the calls. */
async function read(request: RangeRequest, { count = 0, bytes = 0, failures = [] as Error[] } = {}) {
  const calls: RangeCall[] = [];
  const stored = Array.from({ length: count }, (_, index) => item(index, bytes));
  const call = async (asked: RangeCall) => {
    calls.push(asked);
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    const found = stored.filter(({ key }) =>
      asked.rangeEnd === undefined ? Buffer.from(key).equals(asked.key) : key >= asked.key.toString(),
    );
    const items = asked.countOnly === true ? [] : found.slice(0, asked.limit ?? found.length);
    return { revision: 9, items, count: found.length };
  };
  return { result: await readRange({ call, probeKey: PROBE }, request), calls };
}

const shapes = (calls: readonly RangeCall[]) =>
  calls.map(({ key, limit, revision, countOnly = false }) => [key.toString(), limit, revision, countOnly]);
const compacted = () => new KVError('compacted', 'gone');

describe('a range', () => {
  it('is read page by page at the revision of the first, in pages of about 4 MiB', async () => {
    const { result, calls } = await read({ prefix: '/a/' }, { count: 1200, bytes: 8183 });
    assert.deepEqual([result.revision, result.count, result.more], [9, 1200, false]);
    assert.deepEqual(
      result.items.map(({ key }) => key),
      Array.from({ length: 1200 }, (_, index) => keyOf(index)),
    );
    assert.deepEqual(shapes(calls), [
      ['/a/', 200, undefined, false],
      [`${keyOf(199)}\0`, 512, 9, false],
      [`${keyOf(711)}\0`, 488, 9, false],
    ]);
  });

  it('is read in pages of at most 4000 small items', async () => {
    const { calls } = await read({ prefix: '/a/' }, { count: 5000 });
    assert.deepEqual(
      calls.map(({ limit }) => limit),
      [200, 4000, 800],
    );
  });

  it('stops at its limit, and says that there is more', async () => {
    const { result, calls } = await read({ prefix: '/a/', limit: 300 }, { count: 1000 });
    assert.deepEqual([result.items.length, result.count, result.more], [300, 1000, true]);
    assert.deepEqual(
      calls.map(({ limit }) => limit),
      [200, 100],
    );
    assert.deepEqual(shapes((await read({ prefix: '/a/', limit: 5 }, { count: 9 })).calls), [
      ['/a/', 5, undefined, false],
    ]);
  });

  it('starts at a key, and keeps the revision of the request', async () => {
    const { calls } = await read({ prefix: '/a/', from: keyOf(3), revision: 7 }, { count: 300 });
    assert.deepEqual(shapes(calls), [
      [keyOf(3), 200, 7, false],
      [`${keyOf(202)}\0`, 97, 7, false],
    ]);
  });

  it('is counted without items', async () => {
    const { result, calls } = await read({ prefix: '/a/', countOnly: true }, { count: 300 });
    assert.deepEqual(result, { revision: 9, items: [], count: 300, more: false });
    assert.deepEqual(shapes(calls), [['/a/', undefined, undefined, true]]);
  });

  it('that ends before it starts is empty, and a read of the probe key tells the revision', async () => {
    for (const request of [
      { prefix: '/a/', from: '/b', revision: 7 },
      { prefix: '', exact: true, revision: 7 },
      { prefix: '/a', exact: true, from: '/b', revision: 7 },
    ]) {
      const { result, calls } = await read(request, { count: 3 });
      assert.deepEqual(result, { revision: 9, items: [], count: 0, more: false });
      assert.deepEqual(shapes(calls), [['probe', undefined, 7, true]]);
    }
  });

  it('without values asks for none', async () => {
    for (const request of [
      { prefix: '/a/', keysOnly: true },
      { prefix: keyOf(1), exact: true, keysOnly: true },
    ]) {
      const { calls } = await read(request, { count: 300 });
      assert.ok(calls.length > 0 && calls.every(({ keysOnly }) => keysOnly === true));
    }
    assert.equal((await read({ prefix: '/a/' })).calls[0]?.keysOnly, false);
  });

  it('of one key is one call', async () => {
    const { result, calls } = await read({ prefix: keyOf(1), exact: true }, { count: 3 });
    assert.deepEqual([result.items.map(({ key }) => key), result.count, result.more], [[keyOf(1)], 1, false]);
    assert.deepEqual(calls.length, 1);
    const counted = await read({ prefix: keyOf(1), exact: true, countOnly: true }, { count: 3 });
    assert.deepEqual([counted.result.items, counted.result.count], [[], 1]);
  });

  it('of the newest state starts again when its revision is compacted, five times at most', async () => {
    const failures = [compacted(), compacted(), compacted(), compacted()];
    const { result, calls } = await read({ prefix: '/a/' }, { count: 3, failures });
    assert.deepEqual([result.items.length, calls.length], [3, 5]);
    const endless = Array.from({ length: 6 }, compacted);
    await assert.rejects(read({ prefix: '/a/' }, { failures: endless }), { code: 'compacted' });
    assert.equal(endless.length, 1);
  });

  it('of an old state, and one that fails for another reason, fails at once', async () => {
    const once = [compacted(), compacted()];
    await assert.rejects(read({ prefix: '/a/', revision: 7 }, { failures: once }), { code: 'compacted' });
    assert.equal(once.length, 1);
    const failures = [new KVError('unavailable', 'silence'), compacted()];
    await assert.rejects(read({ prefix: '/a/' }, { failures }), { code: 'unavailable' });
    assert.equal(failures.length, 1);
  });

  it('with fewer keys than etcd counts is corrupt', async () => {
    const pages = [{ revision: 9, items: [item(0, 1)], count: 2 }];
    const call = async () => pages.shift() ?? { revision: 9, items: [], count: 2 };
    await assert.rejects(readRange({ call, probeKey: PROBE }, { prefix: '/a/' }), {
      code: 'corrupt',
      message: 'etcd counts 2 keys and has 1',
    });
  });
});
