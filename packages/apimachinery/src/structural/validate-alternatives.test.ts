import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { invalidValue } from '../status/index.js';
import { compileSchema } from './compile.js';
import { Problems } from './problems.js';
import type { SchemaNode } from './schema-node.js';
import { validateAlternatives } from './validate-alternatives.js';

/** An alternative with this many problems and passed checks. */
interface Outcome {
  readonly problems: readonly string[];
  readonly matches: number;
}

/** The problems of a value whose alternatives end like this. */
function problemsOf(keyword: 'allOf' | 'anyOf' | 'oneOf' | 'not', outcomes: readonly Outcome[]): readonly string[] {
  const empty = outcomes.map(() => ({ minimum: 1 }));
  const { limits } = compileSchema({ type: 'object', [keyword]: keyword === 'not' ? empty[0] : empty });
  assert.ok(limits);
  const nodes = keyword === 'not' ? [limits.not] : limits[keyword];
  const attempt = (node: SchemaNode): Problems => {
    const outcome = outcomes[nodes.indexOf(node)];
    const result = new Problems();
    for (const text of outcome?.problems ?? []) result.add(text, () => invalidValue('a', '', text));
    result.matches = outcome?.matches ?? 0;
    return result;
  };
  const problems = new Problems();
  validateAlternatives(limits, attempt, { base: 'spec', path: 'a', problems });
  return problems.errors.map(({ detail }) => detail);
}

const passes: Outcome = { problems: [], matches: 3 };
const fails: Outcome = { problems: ['far'], matches: 1 };
const nearlyPasses: Outcome = { problems: ['near'], matches: 2 };

describe('validateAlternatives', () => {
  it('takes one alternative of anyOf, and reports the closest one if all fail', () => {
    assert.deepEqual(problemsOf('anyOf', [fails, passes]), []);
    assert.deepEqual(problemsOf('anyOf', [fails, nearlyPasses]), [
      '"a" must validate at least one schema (anyOf)',
      'near',
    ]);
  });

  it('takes exactly one alternative of oneOf', () => {
    assert.deepEqual(problemsOf('oneOf', [fails, passes]), []);
    assert.deepEqual(problemsOf('oneOf', [passes, passes]), [
      '"a" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ]);
    assert.deepEqual(problemsOf('oneOf', [fails, nearlyPasses]), [
      '"a" must validate one and only one schema (oneOf). Found none valid',
      'near',
    ]);
  });

  it('reports the problems of all alternatives of allOf', () => {
    assert.deepEqual(problemsOf('allOf', [passes, passes]), []);
    assert.deepEqual(problemsOf('allOf', [passes, fails]), ['far', '"a" must validate all the schemas (allOf)']);
    assert.deepEqual(problemsOf('allOf', [fails]), [
      'far',
      '"a" must validate all the schemas (allOf). None validated',
    ]);
  });

  it('takes a failure for not', () => {
    assert.deepEqual(problemsOf('not', [fails]), []);
    assert.deepEqual(problemsOf('not', [passes]), ['"a" must not validate the schema (not)']);
  });
});
