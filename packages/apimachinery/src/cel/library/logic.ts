import { equal, equalInSteps } from '../equality.js';
import { noSuchOverload } from '../evaluation-error.js';
import {
  CONDITIONAL,
  EQUALS,
  LOGICAL_AND,
  LOGICAL_NOT,
  LOGICAL_OR,
  NOT_EQUALS,
  NOT_STRICTLY_FALSE,
} from '../operators.js';
import { type Overload, overload } from '../overload.js';
import type { Value } from '../values.js';
import { comparesNested } from './comparing.js';

/** In place of operators and functions that may skip an operand, which the compiler evaluates itself. */
export function evaluatedByCompiler(): Value {
  throw noSuchOverload();
}

export const LOGIC: readonly Overload[] = [
  overload(CONDITIONAL, 'conditional', '(bool, A, A) -> A', evaluatedByCompiler),
  overload(LOGICAL_AND, 'logical_and', '(bool, bool) -> bool', evaluatedByCompiler),
  overload(LOGICAL_OR, 'logical_or', '(bool, bool) -> bool', evaluatedByCompiler),
  overload(NOT_STRICTLY_FALSE, 'not_strictly_false', '(bool) -> bool', evaluatedByCompiler),
  overload(LOGICAL_NOT, 'logical_not', '(bool) -> bool', (value) => value !== true),
  {
    ...overload(EQUALS, 'equals', '(A, A) -> bool', (left = null, right = null) => equal(left, right)),
    long: { isLong: comparesNested, steps: (left = null, right = null) => equalInSteps(left, right) },
  },
  {
    ...overload(NOT_EQUALS, 'not_equals', '(A, A) -> bool', (left = null, right = null) => !equal(left, right)),
    long: {
      isLong: comparesNested,
      *steps(left = null, right = null) {
        return !(yield* equalInSteps(left, right));
      },
    },
  },
];
