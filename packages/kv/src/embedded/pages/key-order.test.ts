import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareBytes, type KeyOrder, keyOrder } from './key-order.js';

/** A key in capitals is corrupt. */
const entries = (keys: string) => keys.split(' ').map((key) => ({ key: Buffer.from(key.toLowerCase()), text: key }));
const bytes = (key: string | undefined) => (key === undefined ? undefined : Buffer.from(key));

const cases: readonly (readonly [keys: string, lower: string | undefined, upper: string | undefined, KeyOrder])[] = [
  ['b', undefined, undefined, 'ordered'],
  ['b c d', 'b', 'e', 'ordered'],
  ['b C d', 'b', 'e', 'ordered'],
  ['b b', undefined, undefined, 'broken'],
  ['b B c', undefined, undefined, 'misleading'],
  ['c b', undefined, undefined, 'broken'],
  ['c B d', undefined, undefined, 'misleading'],
  ['b Z d', undefined, undefined, 'misleading'],
  ['a b', 'b', undefined, 'broken'],
  ['A b', 'b', undefined, 'misleading'],
  ['b e', undefined, 'e', 'broken'],
  ['b E', undefined, 'e', 'misleading'],
  ['A', 'b', 'e', 'misleading'],
];

describe('keyOrder', () => {
  for (const [keys, lower, upper, expected] of cases) {
    it(`finds "${keys}" in [${lower ?? ''}, ${upper ?? ''}) ${expected}`, () => {
      const range = { lower: bytes(lower), upper: bytes(upper) };
      const found = keyOrder(entries(keys), range, compareBytes, ({ text }) => text === text.toLowerCase());
      assert.equal(found, expected);
    });
  }
});
