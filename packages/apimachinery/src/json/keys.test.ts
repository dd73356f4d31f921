import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { counted } from '../testing/index.js';
import { Pace } from '../work/index.js';
import { copyMembersInSteps, isObject, type JsonObject, keysInSteps, parseJson } from './index.js';

const many = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));

describe('keysInSteps', () => {
  it('ends a step after the keys of a large object', () => {
    assert.deepEqual(counted(keysInSteps({ a: 1, b: 2 })), { result: ['a', 'b'], yields: 0 });
    const { result, yields } = counted(keysInSteps(many(1001)));
    assert.equal(result.length, 1001);
    assert.equal(yields, 1);
  });
});

describe('copyMembersInSteps', () => {
  it('copies in steps, and any key', () => {
    const large = many(5000);
    const { result, yields } = counted(copyMembersInSteps(large, new Pace(100)));
    assert.deepEqual(result, large);
    assert.notEqual(result, large);
    assert.ok(yields > 50, `${yields} steps`);
    const odd = parseJson('{"__proto__":1}').value;
    assert.ok(isObject(odd));
    const copy = counted(copyMembersInSteps(odd, new Pace(100))).result;
    assert.deepEqual(Object.keys(copy), ['__proto__']);
  });
});
