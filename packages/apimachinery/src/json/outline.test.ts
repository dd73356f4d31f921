import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { outlineJson, outlineOf } from './outline.js';
import { encodeJson } from './stringify.js';
import { isObject, type JsonValue } from './value.js';

const PATHS = ['a', 'b.c', 'b.d.e', 'd'];

/** The members of {@link PATHS}, found by parsing. */
function kept(value: JsonValue, paths: readonly string[]): JsonValue {
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, inner]) => {
    if (paths.includes(name)) return [[name, inner]];
    const below = paths.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));
    return below.length === 0 ? [] : [[name, kept(inner ?? null, below)]];
  });
  return Object.fromEntries(members) as JsonValue;
}

test('an outline has the members of its paths, whatever is around them', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'ab', '"a"', 'a":', '__proto__');
  const value = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, fc.jsonValue({ maxDepth: 1 }), fc.dictionary(key, tie('value'))),
  })).value;
  fc.assert(
    fc.property(fc.dictionary(key, value), (object) => {
      const json = encodeJson(object as JsonValue);
      assert.deepEqual(
        JSON.parse(outlineJson(json, outlineOf(PATHS))),
        kept(JSON.parse(Buffer.from(json).toString()) as JsonValue, PATHS),
      );
    }),
  );
});

test('an outline keeps non-ASCII bytes, and is empty if no member is kept', () => {
  for (const [json, text] of [
    ['{}', '{}'],
    ['{"x":1}', '{}'],
    ['{"x":"a","a":"é\\n","z":[1]}', '{"a":"é\\n"}'],
    ['{"b":{"d":null,"c":9007199254740993},"a":[{}]}', '{"b":{"d":null,"c":9007199254740993},"a":[{}]}'],
  ] as const) {
    assert.equal(outlineJson(Buffer.from(json), outlineOf(PATHS)), text);
  }
});

test('a path inside another one adds nothing', () => {
  const json = Buffer.from('{"a":{"b":1,"c":2}}');
  for (const paths of [
    ['a', 'a.b'],
    ['a.b', 'a'],
  ])
    assert.equal(outlineJson(json, outlineOf(paths)), json.toString());
});
