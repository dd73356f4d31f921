import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { counted } from '../testing/index.js';
import { deepEqualInSteps, type JsonObject, type JsonValue } from './index.js';

const many = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));

describe('deepEqualInSteps', () => {
  const list = Array.from({ length: 20_000 }, (_, index) => ({ name: `n${index}` }));
  const changed: JsonValue = [...list.slice(1), { name: 'other' }];

  it('compares large values in steps', () => {
    for (const [one, other] of [
      [many(20_000), many(20_000)],
      [list, structuredClone(list)],
    ] as const) {
      const { result, yields } = counted(deepEqualInSteps(one, other));
      assert.equal(result, true);
      assert.ok(yields > 3, `${yields} steps`);
    }
  });

  it('finds what differs', () => {
    for (const [one, other] of [
      [many(20_000), many(20_001)],
      [many(20_001), many(20_000)],
      [many(20_000), { ...many(20_000), k1: 'x' }],
      [list, changed],
      [list, many(20_000)],
      [many(20_000), list],
      [list, list.slice(1)],
      [list, null],
      [{ list }, { list: { list } }],
    ] as const) {
      assert.equal(counted(deepEqualInSteps(one, other)).result, false);
    }
    assert.equal(counted(deepEqualInSteps({ ...many(20_000), absent: undefined }, many(20_000))).result, true);
  });
});
