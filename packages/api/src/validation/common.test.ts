import assert from 'node:assert/strict';
import { test } from 'node:test';
import { required } from '@binnacle/apimachinery/status';
import { each, repetitions } from './common.js';

test('each reports items by path and stops after the maximum number of errors', () => {
  const asked: number[] = [];
  const rule = (_: unknown, path: string, index: number) => {
    asked.push(index);
    return [required(`${path}.a`, ''), required(`${path}.b`, '')];
  };
  assert.deepEqual(
    each([{}, {}], 'spec.items', rule).map(({ field }) => field),
    ['spec.items[0].a', 'spec.items[0].b', 'spec.items[1].a', 'spec.items[1].b'],
  );
  assert.equal(
    each(
      Array.from({ length: 1_000_000 }, () => ({})),
      'spec.items',
      rule,
    ).length,
    10_000,
  );
  assert.equal(asked.length, 2 + 5000);
});

test('repetitions are the indices of items that equal an earlier one', () => {
  assert.deepEqual([...repetitions(['a', 'b', 'a', 'a', 'c', 'b'])], [2, 3, 5]);
  assert.deepEqual([...repetitions([])], []);
});
