import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JsonDetails, type JsonObject, type JsonValue, parseJson } from '../json/index.js';
import { finish } from '../work/index.js';
import { applyJsonPatch, applyMergePatchInSteps, PatchedNumbers } from './index.js';

const document = (): JsonObject => ({ spec: { replicas: 2, list: [1, 2] } });

/** Paths to the numbers of `value` whose text is known, each with its text. */
function texts(value: JsonValue | undefined, details: JsonDetails | undefined, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) => {
    const text = details?.numberTexts.get(value)?.get(Array.isArray(value) ? Number(key) : key);
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
    const numbers = new PatchedNumbers(details);
    const result = finish(applyMergePatchInSteps(document(), value, numbers));
    assert.deepEqual(texts(result, numbers.details), found);
  });
}

const jsonPatches: [operations: string, found: string[]][] = [
  ['{"op":"add","path":"/spec/replicas","value":3.0}', ['/spec/replicas=3.0']],
  ['{"op":"add","path":"/spec","value":{"replicas":3.0}}', ['/spec/replicas=3.0']],
  ['{"op":"add","path":"/spec/replicas","value":3.0},{"op":"replace","path":"/spec/replicas","value":3}', []],
  ['{"op":"add","path":"/spec/replicas","value":3.0},{"op":"remove","path":"/spec"}', []],
  ['{"op":"test","path":"/spec/replicas","value":2},{"op":"replace","path":"","value":{"a":1e1}}', ['/a=1e1']],
  [
    '{"op":"add","path":"/n","value":{"a":1.0,"b":{}}},{"op":"add","path":"/n/c","value":1},{"op":"add","path":"/n/b/d","value":2.0}',
    ['/n/a=1.0', '/n/b/d=2.0'],
  ],
  [
    '{"op":"add","path":"/spec/list/1","value":1.0},{"op":"add","path":"/spec/list/0","value":7},{"op":"add","path":"/spec/list/-","value":4.0}',
    ['/spec/list/2=1.0', '/spec/list/4=4.0'],
  ],
  [
    '{"op":"replace","path":"/spec/list","value":[1.0,2.0,3.0]},{"op":"remove","path":"/spec/list/-2"},{"op":"replace","path":"/spec/list/0","value":1}',
    ['/spec/list/1=3.0'],
  ],
  [
    '{"op":"add","path":"/a","value":{"b":1.0,"c":[2.0]}},{"op":"copy","from":"/a","path":"/d"},{"op":"move","from":"/a/b","path":"/e"},{"op":"copy","from":"/e","path":"/f"}',
    ['/a/c/0=2.0', '/d/b=1.0', '/d/c/0=2.0', '/e=1.0', '/f=1.0'],
  ],
];
for (const [operations, found] of jsonPatches) {
  test(`the result of the JSON patch ${operations} has the texts of its numbers`, () => {
    const { value, details } = parseJson(`[${operations}]`);
    const numbers = new PatchedNumbers(details);
    const result = applyJsonPatch(document(), value, { numbers });
    assert.deepEqual(texts(result, numbers.details), found);
  });
}

for (const [value, succeeds] of [
  ['2', true],
  ['2.0', false],
  ['2e0', false],
] as const) {
  test(`a test of 2 for ${value} ${succeeds ? 'succeeds' : 'fails'}`, () => {
    for (const [path, expected] of [
      ['/spec/replicas', value],
      ['/spec/list', `[1,${value}]`],
      ['/spec', `{"list":[1,2],"replicas":${value}}`],
    ]) {
      const { value: patch, details } = parseJson(`[{"op":"test","path":"${path}","value":${expected}}]`);
      const apply = () => applyJsonPatch(document(), patch, { numbers: new PatchedNumbers(details) });
      if (succeeds) assert.doesNotThrow(apply);
      else assert.throws(apply, { code: 422 });
    }
  });
}

test('a test compares the texts that earlier operations wrote', () => {
  const text = '[{"op":"add","path":"/n","value":1.50},{"op":"test","path":"/n","value":1.50}]';
  for (const [patched, isEqual] of [
    [text, true],
    [text.replace('1.50}]', '1.5}]'), false],
  ] as const) {
    const { value, details } = parseJson(patched);
    const apply = () => applyJsonPatch(document(), value, { numbers: new PatchedNumbers(details) });
    if (isEqual) assert.doesNotThrow(apply);
    else assert.throws(apply, { code: 422 });
  }
});

test('a merge patch with a long list is applied in steps', () => {
  const patch = { list: Array.from({ length: 100_000 }, () => 1) };
  const steps = applyMergePatchInSteps({}, patch);
  assert.equal(steps.next().done, false);
  assert.deepEqual(finish(steps), patch);
});
