import { readFileSync } from 'node:fs';
import { tests as suite } from '@bufbuild/cel-spec/testdata/conformance.js';
import { isInScope } from './spec-case.mjs';

function casesOf({ name, suites = [], tests = [] }, path = []) {
  const here = [...path, name];
  const own = tests.map(({ original }) => ({
    original,
    name: [...here.slice(2), original.name ?? original.expr].join('/'),
  }));
  return [...own, ...suites.flatMap((inner) => casesOf(inner, here))];
}

/** The conformance cases of cel-spec that speak of nothing but the language, by their file. */
export const specFiles = suite.suites
  .map((file) => ({
    name: file.name,
    cases: casesOf(file, [suite.name]).filter(({ original }) => isInScope(original)),
  }))
  .filter(({ cases }) => cases.length > 0);

/** Cases that end otherwise here, by the file that they are in, each list with its reason. */
export const exceptions = JSON.parse(readFileSync(new URL('conformance-exceptions.json', import.meta.url), 'utf8'));

/** How many cases there are, and how many end otherwise for each reason; the tests hold both. */
export function conformanceCounts() {
  const sum = (lists) => lists.reduce((count, list) => count + list.length, 0);
  return {
    cases: sum(specFiles.map(({ cases }) => cases)),
    exceptions: exceptions.map(({ reason, cases }) => ({ reason, cases: sum(Object.values(cases)) })),
  };
}
