import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { deepEqual, type JsonObject, type JsonValue } from '../json/index.js';
import { applyMergePatch } from './index.js';

const vectors: readonly (readonly [JsonObject, JsonObject, JsonObject])[] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  [{}, { a: [{ b: null, c: 1 }, null] }, { a: [{ c: 1 }, null] }],
  [{ a: {} }, { a: [{ b: null }] }, { a: [{ b: null }] }],
];

const json = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonValue>(null, 1, 'x', true),
    fc.array(fc.constantFrom<JsonValue>(1, 'y')),
    tie('object'),
  ),
  object: fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor'), tie('value')),
})).object;

describe('applyMergePatch', () => {
  for (const [document, patch, result] of vectors) {
    it(`${JSON.stringify(document)} + ${JSON.stringify(patch)}`, () => {
      assert.deepEqual(applyMergePatch(document, patch), result);
    });
  }

  it('rejects a patch that is not an object', () => {
    assert.throws(() => applyMergePatch({}, []), { code: 400, message: 'Invalid JSON Patch' });
  });

  it('returns the same document if nothing changes', () => {
    const document = { a: { b: 1 } };
    assert.equal(applyMergePatch(document, { a: {}, c: null }), document);
  });

  it('is idempotent, and does not change its arguments', () => {
    fc.assert(
      fc.property(json, json, (document, patch) => {
        const texts = [JSON.stringify(document), JSON.stringify(patch)];
        const once = applyMergePatch(document, patch);
        assert.ok(deepEqual(applyMergePatch(once, patch), once));
        assert.deepEqual([JSON.stringify(document), JSON.stringify(patch)], texts);
      }),
    );
  });

  it('keeps __proto__ as data', () => {
    const patch = JSON.parse('{"data":{"__proto__":{"x":"1"}}}') as JsonValue;
    assert.equal(JSON.stringify(applyMergePatch({ data: {} }, patch)), '{"data":{"__proto__":{"x":"1"}}}');
  });
});
