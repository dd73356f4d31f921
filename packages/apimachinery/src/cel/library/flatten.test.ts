import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { finish } from '../../work/index.js';
import { ListValue, type Value } from '../values.js';
import { flatten } from './flatten.js';

const range = (size: number): ListValue => new ListValue({ size, at: (index) => BigInt(index) });
const list = (...items: Value[]): ListValue => ListValue.of(items);
const plain = (values: Value): unknown => (values instanceof ListValue ? [...values].map(plain) : values);

describe('flatten', () => {
  const nested = list(1n, list(2n, list(3n, list(4n))), list(), 5n, list(list(6n)));
  for (const [depth, expected] of [
    [0n, [1n, [2n, [3n, [4n]]], [], 5n, [[6n]]]],
    [1n, [1n, 2n, [3n, [4n]], 5n, [6n]]],
    [2n, [1n, 2n, 3n, [4n], 5n, 6n]],
    [9n, [1n, 2n, 3n, 4n, 5n, 6n]],
  ] as const) {
    test(`removes ${depth} levels`, () => assert.deepEqual(plain(finish(flatten(nested, depth))), expected));
  }

  test('shares the lists in it, so that it takes no memory for their items', () => {
    const shared = range(100_000);
    const flat = finish(flatten(ListValue.of(Array.from({ length: 4000 }, () => shared)), 1n));
    assert.equal(flat.size, 400_000_000);
    for (const index of [0, 99_999, 100_000, 399_999_999, 5, 250_000_001]) {
      assert.equal(flat.at(index), BigInt(index % 100_000));
    }
  });

  test('visits a list that occurs often once', () => {
    let visits = 0;
    let tree: ListValue = new ListValue({
      size: 10,
      at(index) {
        visits++;
        return BigInt(index);
      },
    });
    for (let level = 0; level < 12; level++) tree = ListValue.of(Array.from({ length: 10 }, () => tree));
    assert.equal(finish(flatten(tree, 20n)).size, 10 ** 13);
    assert.equal(visits, 10);
  });

  test('refuses a negative depth', () => {
    assert.throws(() => finish(flatten(nested, -1n)), /^Error: level must be non-negative$/);
  });
});
