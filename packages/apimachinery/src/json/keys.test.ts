import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { counted } from '../testing/index.js';
import { Pace } from '../work/index.js';
import { copyMembersInSteps, hasNoKeys, isObject, type JsonObject, keysInSteps, parseJson } from './index.js';

const many = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));

describe('keysInSteps', () => {
  it('ends a step after the keys of a large object', () => {
    assert.deepEqual(counted(keysInSteps({ a: 1, b: 2 })), { result: ['a', 'b'], yields: 0 });
    const { result, yields } = counted(keysInSteps(many(1001)));
    assert.equal(result.length, 1001);
    assert.equal(yields, 1);
  });

  it('begins a step for an object that was large before', () => {
    const large = many(1001);
    assert.equal(hasNoKeys(large), false);
    assert.equal(counted(keysInSteps(large)).yields, 2);
  });
});

describe('hasNoKeys', () => {
  it('lists the keys of a large object once', () => {
    let listings = 0;
    const ownKeys = (object: JsonObject) => (listings++, Reflect.ownKeys(object));
    const large = new Proxy(many(1001), { ownKeys });
    assert.deepEqual([hasNoKeys(large), hasNoKeys(large), listings], [false, false, 1]);
  });

  it('sees that keys were deleted', () => {
    assert.equal(hasNoKeys({}), true);
    const large = many(1001);
    assert.equal(hasNoKeys(large), false);
    for (const key of Object.keys(large)) delete large[key];
    assert.equal(hasNoKeys(large), true);
  });
});

describe('copyMembersInSteps', () => {
  it('copies in steps, whatever the keys', () => {
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
