import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeJsonInSteps, isLarge, type JsonValue } from './index.js';

const list = (count: number): JsonValue[] => Array.from({ length: count }, () => 0);
const map = (count: number): JsonValue => Object.fromEntries(list(count).map((zero, index) => [`k${index}`, zero]));

const table: readonly (readonly [string, JsonValue | undefined, boolean])[] = [
  ['nothing', undefined, false],
  ['a long string', 'x'.repeat(100_000), false],
  ['a thousand items', list(1000), false],
  ['more items', list(1001), true],
  ['a thousand members', map(1000), false],
  ['more members', map(1001), true],
  ['parts at several depths', [list(500), { a: map(500) }], true],
];

for (const [name, value, expected] of table) {
  test(`${name}: ${expected ? 'large' : 'small'}`, () => assert.equal(isLarge(value), expected));
}

test('encoders ask few times for the keys of a large map that is deep', () => {
  let asked = 0;
  const members = new Proxy(Object.fromEntries(list(2000).map((zero, index) => [`k${index}`, zero])), {
    ownKeys: (target) => (asked++, Reflect.ownKeys(target)),
  });
  let value: JsonValue = members;
  for (let depth = 0; depth < 50; depth++) value = { a: value };
  assert.equal([...encodeJsonInSteps(value)].length > 0, true);
  assert.ok(asked <= 3, `${asked} times`);
});
