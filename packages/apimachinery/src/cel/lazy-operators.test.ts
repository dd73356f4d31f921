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
  mapOfEntries,
  parseExpression,
  type Value,
} from './index.js';

const environment = {
  ...KUBERNETES_LIBRARY,
  variables: new Map([['any', DYN]]),
  /** So that the program has steps. */
  slow: new Set(['any']),
};
const any = mapOfEntries([
  ['a', 1n],
  ['n', null],
  ['l', ListValue.of([1n])],
]);

/** The value and the cost, or the reason why there is no value: of an evaluation at once and of one in steps. */
function outcomesOf(source: string): readonly (readonly [Value, number] | string)[] {
  const program = compileExpression(checkExpression(source, parseExpression(source), environment), environment);
  const attempt = (run: (budget: Budget) => Value) => {
    const budget = new Budget(1e6);
    try {
      return [run(budget), budget.spent] as const;
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      return error.message;
    }
  };
  const inSteps = (budget: Budget): Value => {
    const steps = program.inSteps?.(() => any, budget);
    assert.ok(steps !== undefined);
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  };
  return [attempt((budget) => program(() => any, budget)), attempt(inSteps)];
}

describe('or and orValue', () => {
  const cases: readonly (readonly [source: string, expected: readonly [Value, number] | string])[] = [
    ['any.?a.orValue(2)', [1n, 2]],
    ['any.?a.orValue(1 / 0)', [1n, 2]],
    ['any.?a.orValue(any.missing)', [1n, 2]],
    ['any.?n.orValue(2)', [null, 2]],
    ['any.?b.orValue(1 / 0)', 'division by zero'],
    ['any.?a.or(optional.of(1 / 0)).orValue(3)', [1n, 2]],
    ['any.?b.or(any.?a).orValue(3)', [1n, 4]],
    ['any.a.orValue(1 / 0)', [1n, 2]],
    ['any.?missing[1 / 0].orValue(3)', 'division by zero'],
  ];
  for (const [source, expected] of cases) {
    it(source, () => {
      for (const outcome of outcomesOf(source)) assert.deepEqual(outcome, expected);
    });
  }
});
