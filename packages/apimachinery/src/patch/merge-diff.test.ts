import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { deepCopy, type JsonObject, type JsonValue, parseJson, stringifyJson } from '../json/index.js';
import {
  applyMergePatch,
  createMergePatch,
  createThreeWayMergePatch,
  PatchPreconditionError,
  requireUnchanged,
} from './index.js';

const text = (patch: JsonObject) => stringifyJson(patch, { sortKeys: true });

/** Original, modified, and upstream's `CreateMergePatch` result. */
const twoWay: readonly (readonly [JsonObject, JsonObject, string])[] = [
  [{ a: 1 }, { a: 1 }, '{}'],
  [{ a: 1, b: { c: 1, d: 2 } }, { a: 'x', b: { c: 1 } }, '{"a":"x","b":{"d":null}}'],
  [{ a: [1, { b: 1 }] }, { a: [1, { b: 2 }] }, '{"a":[1,{"b":2}]}'],
  [{ a: {} }, { a: [] }, '{"a":[]}'],
  [{ a: { b: 1 } }, { a: {} }, '{"a":{"b":null}}'],
  [{}, { a: {}, b: null }, '{"a":{},"b":null}'],
  [{ a: null }, { a: null }, '{}'],
  [{ a: null }, { a: 0 }, '{"a":0}'],
];

/** Original, modified, current, and upstream's `CreateThreeWayJSONMergePatch` result. */
const threeWay: readonly (readonly [JsonObject, JsonObject, JsonObject, string])[] = [
  [{ a: 1, b: 1 }, { a: 1 }, { a: 1, b: 1, c: 1 }, '{"b":null}'],
  [{ a: 1 }, { a: 1 }, { a: 2, c: 1 }, '{"a":1}'],
  [{}, { a: { b: {} } }, {}, '{"a":{"b":{}}}'],
  [{}, { a: {} }, { a: { b: 1 } }, '{}'],
  [{ a: { b: 1 } }, { a: {} }, { a: { b: 2, c: 3 } }, '{"a":{"b":null}}'],
  [{ a: { b: 1 } }, { a: { c: [{ d: null }, null] } }, {}, '{"a":{"b":null,"c":[{},null]}}'],
  [{ a: { b: 1 } }, { a: {} }, { a: 1 }, '{"a":{"b":null}}'],
  [{ a: 1 }, { a: null }, { a: 1 }, '{"a":null}'],
  [{ l: [1, 2] }, { l: [2] }, { l: [1, 2, 3] }, '{"l":[2]}'],
];

const value = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    fc.boolean(),
    fc.integer(),
    fc.bigInt(2n ** 53n, 2n ** 63n - 1n),
    fc.string({ maxLength: 3 }),
    fc.array(fc.integer(), { maxLength: 2 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), tie('value'), { maxKeys: 3 }),
})).object;

describe('creating JSON merge patches', () => {
  for (const [original, modified, patch] of twoWay) {
    it(`writes ${patch} for ${text(modified)}`, () => {
      const before = deepCopy([original, modified]);
      assert.equal(text(createMergePatch(original, modified)), patch);
      assert.deepEqual([original, modified], before);
    });
  }

  for (const [original, modified, current, patch] of threeWay) {
    it(`writes ${patch} for ${text(modified)} on ${text(current)}`, () => {
      const before = deepCopy([original, modified, current]);
      assert.equal(text(createThreeWayMergePatch(original, modified, current)), patch);
      assert.deepEqual([original, modified, current], before);
    });
  }

  it('rejects changes that a precondition forbids', () => {
    assert.throws(
      () => createThreeWayMergePatch({ kind: 'A' }, { kind: 'B' }, { kind: 'A' }, [requireUnchanged('kind')]),
      new PatchPreconditionError({ kind: 'B' }),
    );
  });

  it('applying the patch to the original gives the modified object', () => {
    fc.assert(
      fc.property(value, value, (original, modified) => {
        const patch = parseJson(text(createMergePatch(original, modified))).value;
        assert.equal(text(applyMergePatch(original, patch)), text(modified));
      }),
    );
  });

  it('a three-way patch equals a two-way one without other writers', () => {
    fc.assert(
      fc.property(value, value, (original, modified) => {
        const patch = createThreeWayMergePatch(original, modified, original);
        assert.equal(text(applyMergePatch(original, patch)), text(modified));
      }),
    );
  });

  it('keeps additions of others, and sets everything else as requested', () => {
    fc.assert(
      fc.property(value, value, fc.integer(), (original, modified, other) => {
        const current = { ...original, other };
        const patch = createThreeWayMergePatch(original, modified, current);
        assert.equal(text(applyMergePatch(current, patch)), text({ ...modified, other }));
      }),
    );
  });
});
