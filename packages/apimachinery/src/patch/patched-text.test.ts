import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type JsonObject, type JsonValue, parseJson } from '../json/index.js';
import { counted } from '../testing/index.js';
import {
  applyJsonPatch,
  applyMergePatch,
  applyMergePatchInSteps,
  conversionProblem,
  jsonPatchedTextInSteps,
  mergePatchedTextInSteps,
  PatchedNumbers,
  strategicPatchText,
} from './index.js';
import { finish } from '../work/index.js';
import { widgetSchema } from './schema.testing.js';

const mergePatchedText = (...parameters: Parameters<typeof mergePatchedTextInSteps>): string =>
  finish(mergePatchedTextInSteps(...parameters));
const jsonPatchedText = (...parameters: Parameters<typeof jsonPatchedTextInSteps>): string =>
  finish(jsonPatchedTextInSteps(...parameters));

describe('texts in patch errors', () => {
  const document: JsonObject = { z: 1, b: { y: 1, x: { d: 1, c: 2 } }, a: { f: 1, e: 2 }, l: [{ n: 1, m: 2 }] };

  it('sort the objects that a merge patch visited', () => {
    const shown = (patch: JsonObject) => mergePatchedText(document, patch, applyMergePatch(document, patch));
    assert.equal(
      shown({ b: { y: null, w: { t: 1, s: 2 } } }),
      '{"a":{"f":1,"e":2},"b":{"w":{"s":2,"t":1},"x":{"d":1,"c":2}},"l":[{"n":1,"m":2}],"z":1}',
    );
    assert.equal(shown({ a: { e: 2 } }), '{"a":{"e":2,"f":1},"b":{"y":1,"x":{"d":1,"c":2}},"l":[{"n":1,"m":2}],"z":1}');
  });

  it('sort the objects on the paths of operations', () => {
    const shown = (patch: JsonValue) => jsonPatchedText(patch, applyJsonPatch(document, patch));
    assert.equal(
      shown([
        { op: 'add', path: '/l/0/a', value: { t: 1, s: 2 } },
        { op: 'copy', from: '/a/f', path: '/g' },
      ]),
      '{"a":{"e":2,"f":1},"b":{"y":1,"x":{"d":1,"c":2}},"g":1,"l":[{"a":{"t":1,"s":2},"m":2,"n":1}],"z":1}',
    );
  });

  it('show the numbers of the patch as it writes them', () => {
    const merge = parseJson('{"a":{"e":1.0,"g":{"h":2}}}');
    const merged = new PatchedNumbers(merge.details);
    const result = finish(applyMergePatchInSteps(document, merge.value, merged));
    const text = mergePatchedText(document, merge.value, result, merged.details);
    assert.match(text, /^\{"a":\{"e":1\.0,"f":1,"g":\{"h":2\}\},/);
    const { value, details } = parseJson('[{"op":"replace","path":"/a/e","value":1e3}]');
    const numbers = new PatchedNumbers(details);
    const patched = applyJsonPatch(document, value, { numbers });
    assert.match(jsonPatchedText(value, patched, numbers.details), /^\{"a":\{"e":1e3,"f":1\},/);
  });

  it('pause often while they read large objects', () => {
    const many: JsonObject = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, 1]));
    const merged = mergePatchedTextInSteps(document, many, applyMergePatch(document, many));
    assert.ok(counted(merged).yields > 100);
    const list = { list: Array.from({ length: 10_000 }, () => 1), ...many };
    const patch = [{ op: 'add', path: '/list/-', value: 2 }];
    assert.ok(counted(jsonPatchedTextInSteps(patch, applyJsonPatch(list, patch))).yields > 200);
  });

  it('print a strategic patch as merging leaves it', () => {
    assert.equal(
      strategicPatchText({
        size: 'x',
        strategy: { $retainKeys: ['type'], type: 'T' },
        '$setElementOrder/containers': [],
        containers: [],
      }),
      'map[size:x strategy:map[type:T]]',
    );
  });
});

describe('conversionProblem', () => {
  it('names the first value that does not match', () => {
    const problem = (value: JsonValue) => conversionProblem(value, { kind: 'struct', type: widgetSchema });
    const cases: readonly (readonly [JsonValue, string | undefined])[] = [
      [{ labels: { a: 'b' }, size: 2, numbers: null }, undefined],
      [{ size: 'x' }, 'unrecognized type: int64'],
      [{ size: 1.5 }, 'cannot convert float64 to int64'],
      [{ labels: { a: 1 } }, 'cannot convert int64 to string'],
      [{ labels: { a: true } }, 'unrecognized type: string'],
      [{ labels: 'x' }, 'cannot restore map from string'],
      [{ containers: { name: 'a' } }, 'cannot restore slice from map'],
      [{ containers: ['a'] }, 'cannot restore struct from: string'],
      [{ strategy: [] }, 'cannot restore struct from: slice'],
      [[], 'cannot restore struct from: slice'],
    ];
    for (const [value, expected] of cases) assert.equal(problem(value), expected, JSON.stringify(value));
  });
});
