import { deepEqual, type JsonValue } from '../json/index.js';
import type { FilterOperator } from './parse.js';
import type { SearchBudget } from './search-budget.js';

/** Characters compared for the price of one visit. */
const CHARACTERS_PER_UNIT = 64;

/** Whether `a operator b` is true. False for lists and objects, like upstream, and when the budget is spent. */
export function holds(
  a: JsonValue | undefined,
  operator: FilterOperator,
  b: JsonValue | undefined,
  budget: SearchBudget,
): boolean {
  if (a === undefined || b === undefined || isComposite(a) || isComposite(b)) return false;
  if (typeof a === 'string' && typeof b === 'string') {
    if (!budget.spend(Math.ceil(Math.min(a.length, b.length) / CHARACTERS_PER_UNIT))) return false;
  }
  if (operator === '==') return deepEqual(a, b);
  return operator === '!=' ? !deepEqual(a, b) : isOrdered(a, operator, b);
}

function isComposite(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null;
}

function isOrdered(a: JsonValue, operator: FilterOperator, b: JsonValue): boolean {
  const comparable = (typeof a === 'string' && typeof b === 'string') || (isNumber(a) && isNumber(b));
  if (!comparable || a === null || b === null) return false;
  switch (operator) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    default:
      return a >= b;
  }
}

function isNumber(value: JsonValue): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}
