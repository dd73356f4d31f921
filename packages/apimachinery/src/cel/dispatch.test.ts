import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  Budget,
  checkExpression,
  compileExpression,
  DYN,
  EvaluationError,
  KUBERNETES_LIBRARY,
  ListValue,
  parseExpression,
  type Value,
} from './index.js';

const environment = {
  ...KUBERNETES_LIBRARY,
  variables: new Map([['any', DYN]]),
};

/** The value, or the reason why there is none. */
function outcomeOf(source: string, any: Value): Value | string {
  const checked = checkExpression(source, parseExpression(source), environment);
  try {
    return compileExpression(checked, environment)(() => any, new Budget(1e6));
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return `failed: ${error.message}`;
  }
}

const list = (...items: Value[]): ListValue => ListValue.of(items);
const NONE = 'failed: no such overload';

describe('a list of unknown items', () => {
  const cases: readonly (readonly [source: string, any: ListValue, expected: Value | string])[] = [
    ['any.sum()', list(1n, 2n), 3n],
    ['any.sum()', list('a'), NONE],
    ['any.sum()', list(1n, 'a'), NONE],
    ['any.sum()', list(1.5, 2n), NONE],
    ['any.sum()', list(list(1n)), NONE],
    ['any.isSorted()', list('a', 'b'), true],
    ['any.isSorted()', list(list(1n)), NONE],
    ['any.isSorted()', list(1n, 'a', true), true],
    ['any.max()', list(1n, 'a', 3n), 3n],
    ['any.min()', list(null), NONE],
    ['any.flatten() == any', list(1n, 'a'), true],
    ['any.sort() == ["a", "b"]', list('b', 'a'), true],
    ['any.sort()', list(1n, 1.5), 'failed: list elements must have the same type'],
    ['any.sort()', list(list(1n)), 'failed: list elements must be comparable'],
    ['any.join(",")', list(1n), NONE],
  ];
  for (const [source, any, expected] of cases) {
    it(`${source} of ${[...any].map((item) => typeof item).join(', ')}`, () => {
      assert.deepEqual(outcomeOf(source, any), expected);
    });
  }
});
