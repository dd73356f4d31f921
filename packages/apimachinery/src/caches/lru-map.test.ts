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

  it('forgets a deleted entry', () => {
    const map = new LruMap<string, number>(2);
    map.set('a', 1);
    map.delete('a');
    map.delete('b');
    assert.deepEqual(read(map), [undefined, undefined, undefined]);
  });
});
