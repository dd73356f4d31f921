import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ExpiringCache } from './expiring-cache.js';

function setUp(capacity: number) {
  let time = 0;
  const cache = new ExpiringCache<number>({ monotonic: () => time }, capacity);
  return { cache, wait: (milliseconds: number) => (time += milliseconds) };
}

it('keeps a value for its time', () => {
  const { cache, wait } = setUp(10);
  cache.add('a', 1, 100);
  wait(99);
  assert.equal(cache.get('a'), 1);
  wait(1);
  assert.equal(cache.get('a'), undefined);
});

it('keeps nothing for no time', () => {
  const { cache } = setUp(10);
  cache.add('a', 1, 0);
  assert.equal(cache.get('a'), undefined);
});

it('drops the least recently used value when it is full', () => {
  const { cache } = setUp(2);
  cache.add('a', 1, 100);
  cache.add('b', 2, 100);
  cache.get('a');
  cache.add('c', 3, 100);
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], [1, undefined, 3]);
});
