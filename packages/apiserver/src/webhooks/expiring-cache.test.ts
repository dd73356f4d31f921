import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ExpiringCache } from './expiring-cache.js';

function setUp(capacity: number) {
  let time = 0;
  const cache = new ExpiringCache<{ readonly text: string }>({ monotonic: () => time }, capacity);
  return { cache, wait: (milliseconds: number) => (time += milliseconds) };
}

const textsOf = (cache: ExpiringCache<{ readonly text: string }>): readonly (string | undefined)[] =>
  ['a', 'b', 'c'].map((key) => cache.get(key)?.text.slice(0, 1));

it('keeps a value for its time', () => {
  const { cache, wait } = setUp(10);
  cache.add('a', { text: '1' }, 100);
  wait(99);
  assert.deepEqual(cache.get('a'), { text: '1' });
  wait(1);
  assert.equal(cache.get('a'), undefined);
});

it('keeps nothing for no time', () => {
  const { cache } = setUp(10);
  cache.add('a', { text: '1' }, 0);
  assert.equal(cache.get('a'), undefined);
});

it('drops the least recently used value when it is full', () => {
  const { cache } = setUp(2);
  cache.add('a', { text: '1' }, 100);
  cache.add('b', { text: '2' }, 100);
  cache.get('a');
  cache.add('c', { text: '3' }, 100);
  assert.deepEqual(textsOf(cache), ['1', undefined, '3']);
});

it('drops the least recently used values when they are too large together', () => {
  const { cache } = setUp(100);
  const large = (text: string) => ({ text: text.padEnd(12 * 1024 * 1024) });
  cache.add('a', large('1'), 100);
  cache.add('b', large('2'), 100);
  cache.get('a');
  cache.add('c', large('3'), 100);
  assert.deepEqual(textsOf(cache), ['1', undefined, '3']);
  for (const text of ['4', '5', '6']) cache.add('a', large(text), 100);
  assert.deepEqual(textsOf(cache), ['6', undefined, '3'], 'a replaced value does not count');
});
