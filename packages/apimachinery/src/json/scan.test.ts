import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { encodeJson } from './stringify.js';
import { endOfString, endOfValue, isNestedDeeper } from './scan.js';
import type { JsonValue } from './value.js';

test('finds the end of any value, with any content after it', () => {
  const value = fc.jsonValue({ maxDepth: 4 }).map((each) => each as JsonValue);
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), (values) => {
      const json = encodeJson(values);
      let at = 1;
      for (const each of values) {
        const end = at + encodeJson(each).length;
        assert.equal(endOfValue(json, at), end);
        at = end + 1;
      }
    }),
  );
});

test('recognizes strings with escapes', () => {
  for (const [json, end] of [
    ['""', 2],
    ['"a","b"', 3],
    ['"\\""', -4],
    ['"a\\\\"', -5],
    ['"\\\\","b"', -4],
  ] as const) {
    assert.equal(endOfString(Buffer.from(json), 0), end, json);
    assert.equal(endOfValue(Buffer.from(json), 0), Math.abs(end), json);
  }
});

test('an unterminated value ends after the last byte', () => {
  for (const json of ['"', '"a', '"a\\"', '"\\', '[', '{"a":[1]', '[["]]']) {
    assert.ok(endOfValue(Buffer.from(json), 0) > json.length, json);
  }
});

test('nesting is counted outside of strings', () => {
  for (const [json, depth] of [
    ['1', 0],
    ['"[[[["', 0],
    ['{}', 1],
    ['[[],[],{"a":[]}]', 3],
    ['{"[":"\\"]}[[","b":[1]}', 2],
    [`${'['.repeat(50)}${']'.repeat(50)}`, 50],
  ] as const) {
    assert.ok(!isNestedDeeper(Buffer.from(json), depth), json);
    if (depth > 0) assert.ok(isNestedDeeper(Buffer.from(json), depth - 1), json);
  }
});
