import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JsonDetails, type JsonObject, type JsonValue, parseJson } from '../json/index.js';
import { applyJsonPatch, applyMergePatch, jsonPatchedDetails, mergePatchedDetails } from './index.js';

const document = (): JsonObject => ({ spec: { replicas: 2, list: [1, 2] } });

/** Paths to the numbers of `value` whose text is known, each with its text. */
function texts(value: JsonValue | undefined, details: JsonDetails, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) => {
    const text = details.numberTexts.get(value)?.get(Array.isArray(value) ? Number(key) : key);
    return [...(text === undefined ? [] : [`${path}/${key}=${text}`]), ...texts(below, details, `${path}/${key}`)];
  });
}

const mergePatches: [patch: string, found: string[]][] = [
  ['{"spec":{"replicas":3.0}}', ['/spec/replicas=3.0']],
  [
    '{"spec":{"replicas":2.0,"list":[1,1e0]},"n":{"a":null,"b":[{"c":-0.0}]}}',
    ['/spec/replicas=2.0', '/spec/list/1=1e0', '/n/b/0/c=-0.0'],
  ],
];
for (const [text, found] of mergePatches) {
  test(`the result of the merge patch ${text} has the texts of its numbers`, () => {
    const { value, details } = parseJson(text);
    assert.ok(details !== undefined);
    const result = applyMergePatch(document(), value);
    assert.deepEqual(texts(result, mergePatchedDetails(value, details, result)), found);
  });
}

const jsonPatches: [operations: string, found: string[]][] = [
  ['{"op":"add","path":"/spec/replicas","value":3.0}', ['/spec/replicas=3.0']],
  ['{"op":"add","path":"/spec","value":{"replicas":3.0}}', ['/spec/replicas=3.0']],
  ['{"op":"add","path":"/spec/replicas","value":3.0},{"op":"replace","path":"/spec/replicas","value":3}', []],
  ['{"op":"add","path":"/spec/replicas","value":3.0},{"op":"remove","path":"/spec"}', []],
  ['{"op":"test","path":"/spec/replicas","value":2.0},{"op":"replace","path":"","value":{"a":1e1}}', ['/a=1e1']],
];
for (const [operations, found] of jsonPatches) {
  test(`the result of the JSON patch ${operations} has the texts of its numbers`, () => {
    const { value, details } = parseJson(`[${operations}]`);
    assert.ok(details !== undefined);
    const result = applyJsonPatch(document(), value);
    assert.deepEqual(texts(result, jsonPatchedDetails(value, details, result)), found);
  });
}
