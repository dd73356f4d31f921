import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CheckedExpression, checkExpression } from '../check.js';
import type { Environment } from '../environment.js';
import { parseExpression } from '../parse.js';
import type { Expression } from '../syntax-tree.js';
import { INT, listOf, STRING } from '../types.js';
import { joinEntries, KnownValues } from './known-values.js';
import { exactly, UNKNOWN } from './range.js';

const environment: Environment = {
  variables: new Map([
    ['name', STRING],
    ['names', listOf(STRING)],
    ['count', INT],
  ]),
  functions: new Map(),
  types: new Map(),
};
const declared = { min: 0, max: 63 };

/** What is known of the values of an expression in which only `name` has a declared size. */
function knownValues(source: string): { known: KnownValues; root: Expression } {
  const checked: CheckedExpression = checkExpression(source, parseExpression(source), environment);
  const known = new KnownValues(checked, (path) => (path.join('.') === 'name' ? declared : undefined));
  return { known, root: checked.root };
}

describe('KnownValues', () => {
  for (const [source, size] of [
    ['"añb"', exactly(3)],
    ["b'añb'", exactly(4)],
    ['[1, 2]', exactly(2)],
    ['{"a": 1}', exactly(1)],
    ['true', exactly(1)],
    ['count', exactly(1)],
  ] as const) {
    it(`knows the size of ${source}`, () => {
      const { known, root } = knownValues(source);
      assert.deepEqual(known.size(root), size);
    });
  }

  it('knows the size that is declared for a path, and none of other paths', () => {
    for (const [source, size] of [
      ['name', declared],
      ['names', UNKNOWN],
    ] as const) {
      const { known, root } = knownValues(source);
      known.nameVariable(root, source);
      assert.deepEqual([known.size(root), known.pathBelow(root, '@items')], [size, [source, '@items']]);
    }
  });

  it('knows of a variable what it was declared with, until its scope ends', () => {
    const { known, root } = knownValues('names');
    const before = known.depth;
    known.declare('names', { path: ['self', 'names'], size: exactly(2), entries: undefined });
    assert.deepEqual(known.asVariable(root), { path: ['self', 'names'], size: exactly(2), entries: undefined });
    known.declare('names', { path: undefined, size: exactly(3), entries: undefined });
    assert.deepEqual(known.size(root), exactly(3), 'the inner variable hides the outer one');
    known.leave(before);
    assert.deepEqual(known.asVariable(root), { path: undefined, size: undefined, entries: undefined });
  });

  it('covers the sizes of several values', () => {
    const { known, root } = knownValues('["a", "abc"]');
    assert.ok(root.kind === 'list');
    assert.deepEqual(known.commonSize(root.elements), { min: 1, max: 3 });
  });

  it('copies what is known of a value to another', () => {
    const { known, root } = knownValues('names');
    const { root: list } = knownValues('["a", "abc"]');
    const entries = { kind: 'list', key: exactly(1), value: { min: 1, max: 3 } } as const;
    known.setEntries(list, entries);
    known.copy(root, list);
    assert.deepEqual([known.size(root), known.entriesOf(root)], [exactly(2), entries]);
  });
});

describe('joinEntries', () => {
  const short = { kind: 'map', key: exactly(1), value: exactly(2) } as const;
  const long = { kind: 'map', key: exactly(5), value: exactly(6) } as const;

  it('covers the entries of both values, and knows nothing if one is unknown', () => {
    assert.deepEqual(joinEntries(short, long), { kind: 'map', key: { min: 1, max: 5 }, value: { min: 2, max: 6 } });
    assert.equal(joinEntries(short, undefined), undefined);
    assert.equal(joinEntries(undefined, long), undefined);
  });
});
