import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { memberPath, stringAt } from './string-at.js';
import { encodeJson } from './stringify.js';
import { getOwn, isObject, type JsonValue } from './value.js';

const PATHS = ['a', 'a.b', 'a.b.a'];

function parsed(value: JsonValue | undefined, names: readonly string[]): string | undefined {
  const [name, ...rest] = names;
  if (name === undefined) return typeof value === 'string' ? value : undefined;
  return isObject(value) ? parsed(getOwn(value, name), rest) : undefined;
}

test('the string at a path is the one that parsing finds, whatever is around it', () => {
  const key = fc.constantFrom('a', 'b', 'ab', '"a"', 'a":', '__proto__');
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue({ maxDepth: 1 }),
      fc.string({ unit: 'binary' }),
      fc.array(tie('value'), { maxLength: 2 }),
      fc.dictionary(key, tie('value')),
    ),
  })).value;
  fc.assert(
    fc.property(fc.dictionary(key, value), fc.constantFrom(...PATHS), (object, path) => {
      const json = encodeJson(object as JsonValue);
      const expected = parsed(JSON.parse(Buffer.from(json).toString()) as JsonValue, path.split('.'));
      assert.equal(stringAt(json, memberPath(path)), expected);
      assert.equal(stringAt(Uint8Array.from(json), memberPath(path)), expected);
    }),
  );
});

test('escapes and other text decode', () => {
  for (const text of ['', 'node-1', 'é', 'a"b\\', '\u2028', '\ud83d\ude00'])
    assert.equal(stringAt(Buffer.from(JSON.stringify({ x: ['a'], a: { b: text } })), memberPath('a.b')), text);
});
