import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { tests as suite } from '@bufbuild/cel-spec/testdata/conformance.js';
import { isInScope, playCase } from './spec-case.mjs';

/** Cases that end otherwise here, by the file that they are in, each list with its reason. */
const exceptions = JSON.parse(readFileSync(new URL('conformance-exceptions.json', import.meta.url), 'utf8'));

function casesOf({ name, suites = [], tests = [] }, path = []) {
  const here = [...path, name];
  const own = tests.map(({ original }) => ({
    original,
    name: [...here.slice(2), original.name ?? original.expr].join('/'),
  }));
  return [...own, ...suites.flatMap((inner) => casesOf(inner, here))];
}

describe('the conformance cases of cel-spec', () => {
  for (const file of suite.suites) {
    const cases = casesOf(file, [suite.name]).filter(({ original }) => isInScope(original));
    if (cases.length === 0) continue;
    test(`${file.name}: ${cases.length} cases`, () => {
      const differing = cases.flatMap(({ name, original }) => {
        const difference = playCase(original);
        return difference === undefined ? [] : [name];
      });
      const known = exceptions.flatMap(({ cases: byFile }) => byFile[file.name] ?? []);
      assert.deepEqual(differing.toSorted(), known.toSorted());
    });
  }
});
