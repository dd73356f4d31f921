import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from './parse.js';
import { StrictErrors } from './strict-errors.js';

const cases: [what: string, texts: string[], kept: number][] = [
  ['a hundred', Array.from({ length: 101 }, (_, index) => String(index)), 100],
  ['each text once', ['a', 'a', 'b'], 2],
  ['a first text of any length, and nothing after it', ['x'.repeat(1_400_000), 'a'], 1],
  ['a megabyte in total', ['x'.repeat(1024 * 1024 - 1), 'a'], 2],
  ['nothing after a text that does not fit', ['a', 'x'.repeat(1024 * 1024), 'b'], 1],
  ['a megabyte of repeated texts', [...Array<string>(11).fill('x'.repeat(100_000)), 'a'], 1],
];
for (const [what, texts, kept] of cases) {
  test(`strict errors keep ${what}`, () => {
    const errors = new StrictErrors();
    for (const text of texts) errors.add(text);
    assert.deepEqual(errors.texts, [...new Set(texts)].slice(0, kept));
  });
}

test('many duplicates below a long key, or deep in a document, are reported in part', () => {
  const fields = Array.from({ length: 200 }, (_, index) => `"k${index}":1,"k${index}":2`).join(',');
  assert.equal(parseJson(`{"${'x'.repeat(1_400_000)}":{${fields}}}`).duplicates.length, 1);
  const depth = 900;
  const deep = `${'{"a":'.repeat(depth)}{${'"b":1,'.repeat(50_000)}"b":1}${'}'.repeat(depth)}`;
  assert.deepEqual(parseJson(deep).duplicates, [`${'a.'.repeat(depth)}b`]);
});
