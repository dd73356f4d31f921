import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LruMap } from './lru-map.js';

const KEYS = ['a', 'b', 'c'];

describe('LruMap', () => {
  const read = (map: LruMap<string, number>) => KEYS.map((key) => map.get(key));

  it('keeps the entries that were read last', () => {
    const map = new LruMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    assert.equal(map.get('a'), 1);
    map.set('c', 3);
    assert.deepEqual(read(map), [1, undefined, 3]);
  });

  it('keeps the entries that were set last', () => {
    const map = new LruMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('a', 4);
    map.set('c', 3);
    assert.deepEqual(read(map), [4, undefined, 3]);
  });

  it('keeps entries up to a total size, and the last one', () => {
    const map = new LruMap<string, number>(5, (_, size) => size);
    map.set('a', 2);
    map.set('b', 2);
    map.set('c', 3);
    assert.deepEqual(read(map), [undefined, 2, 3]);
    map.set('b', 1);
    map.set('a', 1);
    assert.deepEqual(read(map), [1, 1, 3]);
    map.delete('c');
    map.set('c', 4);
    assert.deepEqual(read(map), [undefined, 1, 4]);
    map.set('a', 9);
    assert.deepEqual(read(map), [9, undefined, undefined]);
  });

  it('forgets a deleted entry', () => {
    const map = new LruMap<string, number>(2);
    map.set('a', 1);
    map.delete('a');
    map.delete('b');
    assert.deepEqual(read(map), [undefined, undefined, undefined]);
  });
});
