import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { playCase } from './spec-case.mjs';
import { exceptions, specFiles } from './spec-files.mjs';

describe('the conformance cases of cel-spec', () => {
  for (const { name, cases } of specFiles) {
    test(`${name}: ${cases.length} cases`, () => {
      const differing = cases.flatMap((each) => (playCase(each.original) === undefined ? [] : [each.name]));
      const known = exceptions.flatMap(({ cases: byFile }) => byFile[name] ?? []);
      assert.deepEqual(differing.toSorted(), known.toSorted());
    });
  }
});
