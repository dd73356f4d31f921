import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { memberPath, stringAt, withoutMember } from './string-at.js';
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

test('the JSON without a member is that of the object without it, whatever is around it', () => {
  const key = fc.constantFrom('a', 'b', 'ab', '"a"', 'a":', '{"a":1}');
  const leaf = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(
      fc.dictionary(key, fc.oneof(leaf, fc.dictionary(key, leaf))),
      fc.constantFrom('a', 'b.a'),
      (object, path) => {
        const json = encodeJson(object);
        const expected = without(JSON.parse(Buffer.from(json).toString()) as JsonValue, path.split('.'));
        assert.deepEqual(JSON.parse(Buffer.from(withoutMember(json, memberPath(path))).toString()), expected);
      },
    ),
  );
});

function without(value: JsonValue | undefined, [name = '', ...rest]: readonly string[]): JsonValue | undefined {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([key, field]): [string, JsonValue | undefined][] => {
    if (key !== name) return [[key, field]];
    return rest.length === 0 ? [] : [[key, without(field, rest)]];
  });
  return Object.fromEntries(entries);
}

test('other JSON keeps its members', () => {
  for (const text of ['', '[]', '"a"', '{"a" : 1}', '{ "a":1}', '{"a":1', '{"b": "x,"}', '{"b":{}}'])
    assert.equal(Buffer.from(withoutMember(Buffer.from(text), memberPath('a'))).toString(), text);
});

test('escapes and other text decode', () => {
  for (const text of ['', 'node-1', 'é', 'a"b\\', '\u2028', '\ud83d\ude00'])
    assert.equal(stringAt(Buffer.from(JSON.stringify({ x: ['a'], a: { b: text } })), memberPath('a.b')), text);
});
