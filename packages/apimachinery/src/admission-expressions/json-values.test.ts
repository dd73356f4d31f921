import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MapValue } from '../cel/index.js';
import type { JsonObject } from '../json/index.js';
import { finish } from '../work/index.js';
import { JsonValues } from './json-values.js';

const shuffled = (count: number): string[] => Array.from({ length: count }, (_, index) => `k${(index * 7919) % count}`);

describe('a JSON object as a map', () => {
  const map = (names: readonly string[]): MapValue => {
    const object: JsonObject = Object.fromEntries(names.map((name) => [name, 1]));
    const value = new JsonValues().valueOf(object);
    assert.ok(value instanceof MapValue);
    return value;
  };

  test('orders its keys, many of them in steps', () => {
    for (const count of [0, 3, 25_001]) {
      const names = shuffled(count);
      const value = map(names);
      const steps = value.keysInSteps();
      assert.equal(steps === undefined, count < 10_000);
      if (steps !== undefined) finish(steps);
      assert.deepEqual([...value.keys()], names.toSorted());
      assert.equal(value.size, count);
      assert.deepEqual(new Set(value.unorderedKeys()), new Set(names));
      assert.equal(value.keysInSteps(), undefined);
    }
  });
});
