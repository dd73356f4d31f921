import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { reachedThresholds, sharesOf } from '../../scripts/coverage/thresholds.mjs';
import { coveredLines } from '../../scripts/coverage/lines.mjs';
import { packageOf, rangesOf, roomOf, sumsBy, table } from '../../scripts/coverage/report.mjs';

/** A map that sends each line to the line of the same number, and has nothing for lines of the compiler. */
const mapOf = (code) => {
  let last = 0;
  const mappings = code.split('\n').map((text, index) => {
    if (text.includes('/* compiler */')) return '';
    const segment = `${vlq(text.search(/\S|$/))}A${vlq(index - last)}A`;
    last = index;
    return segment;
  });
  return {
    version: 3,
    file: 'a.js',
    sources: ['a.ts'],
    sourcesContent: [],
    names: [],
    sourceRoot: '',
    mappings: mappings.join(';'),
  };
};

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Small numbers only. */
const vlq = (number) => BASE64[number * 2];

/** V8's report on a code in which everything ran but the parts named. */
const reportOn = (code, parts) => [
  { ranges: [{ startOffset: 0, endOffset: code.length, count: 1 }, ...parts.map((part) => rangeOf(code, part, 0))] },
];
const rangeOf = (code, part, count) => {
  const startOffset = code.indexOf(part);
  assert.notEqual(startOffset, -1, part);
  return { startOffset, endOffset: startOffset + part.length, count };
};

const missing = (code, functions) =>
  [...coveredLines(code, mapOf(code), functions)].filter(([, covered]) => !covered).map(([line]) => line);

describe('covered lines', () => {
  const code = [
    "import { a } from './a.js';",
    '// A remark.',
    'export function f(x) {',
    '  return x ? 1 : 2;',
    '}',
  ].join('\n');

  it('are those with code: no imports, comments or brackets', () => {
    assert.deepEqual([...coveredLines(code, mapOf(code), []).keys()], [3, 4]);
  });

  it('are missing in a file that was not loaded', () => assert.deepEqual(missing(code, []), [3, 4]));

  it('have run to the last character', () => {
    assert.deepEqual(missing(code, reportOn(code, [])), []);
    assert.deepEqual(missing(code, reportOn(code, [' : 2'])), [4]);
  });

  it('take the innermost range, in whichever order V8 reports them', () => {
    const inner = { ranges: [rangeOf(code, 'x ? 1 : 2', 1)] };
    const outer = { ranges: [rangeOf(code, 'return x ? 1 : 2;', 0)] };
    const whole = { ranges: [{ startOffset: 0, endOffset: code.length, count: 1 }] };
    for (const functions of [
      [inner, outer, whole],
      [whole, outer, inner],
    ])
      assert.deepEqual(missing(code, functions), [4]);
    const ranInside = { ranges: [rangeOf(code, '  return x ? 1 : 2;', 1)] };
    const outside = { ranges: [rangeOf(code, code.slice(code.indexOf('export')), 0)] };
    assert.deepEqual(missing(code, [whole, ranInside, outside]), [3]);
  });

  it('leave out what the compiler added, and comments of several lines', () => {
    const compiled = ['var helper = 1; /* compiler */', '/**', ' * about = f', ' */', 'f();'].join('\n');
    assert.deepEqual([...coveredLines(compiled, mapOf(compiled), []).keys()], [5]);
  });
});

describe('the report of coverage', () => {
  const files = [
    { file: 'packages/kv/src/engine/a.ts', lines: 8, covered: 6, missing: [2, 3] },
    { file: 'packages/kv/src/engine/b.ts', lines: 2, covered: 2, missing: [] },
    { file: 'packages/kv/src/index.ts', lines: 0, covered: 0, missing: [] },
    { file: 'packages/api/src/x.ts', lines: 10, covered: 9, missing: [1] },
  ];

  it('adds up rooms and packages, and leaves out what has no lines', () => {
    assert.deepEqual(Object.fromEntries(sumsBy(roomOf, files.slice(0, 3))), { 'kv/engine': { lines: 10, covered: 8 } });
    assert.deepEqual(Object.fromEntries(sumsBy(packageOf, files)), {
      kv: { lines: 10, covered: 8 },
      api: { lines: 10, covered: 9 },
    });
  });

  it('names the threshold of a package that has one', () => {
    assert.deepEqual(table(sumsBy(packageOf, files), { kv: { lines: 79 } }), [
      'kv   80.0 % of    10 lines  threshold 79',
      'api  90.0 % of    10 lines',
    ]);
  });

  it('sets thresholds half a percent below what is reached, in whole percents', () => {
    const packages = new Map([
      ['a', { lines: 1000, covered: 904 }],
      ['b', { lines: 1000, covered: 905 }],
    ]);
    assert.deepEqual(reachedThresholds(packages), { a: { lines: 89 }, b: { lines: 90 } });
    assert.deepEqual(sharesOf(packages), { a: { lines: 90.4 }, b: { lines: 90.5 } });
  });

  it('joins lines that follow each other', () => {
    assert.equal(rangesOf([9, 3, 4, 5, 11]), '3-5, 9, 11');
    assert.equal(rangesOf([]), '');
  });
});
