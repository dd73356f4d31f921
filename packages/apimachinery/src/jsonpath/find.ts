import { deepEqual, getOwn, isObject, type JsonValue } from '../json/index.js';
import type { FilterSide, JsonPath, JsonPathStep } from './parse.js';

/** The most values visited in one call. */
const MAXIMUM_VALUES = 100_000;

/** All values at a path, in document order. A missing step gives no values. */
export function findAll(value: JsonValue, path: JsonPath): JsonValue[] {
  let values: JsonValue[] = [value];
  for (const step of path) {
    values = values.flatMap((each) => follow(each, step)).slice(0, MAXIMUM_VALUES);
    if (values.length === 0) break;
  }
  return values;
}

/** The first value at a path. */
export function findFirst(value: JsonValue, path: JsonPath): JsonValue | undefined {
  return findAll(value, path)[0];
}

function follow(value: JsonValue, step: JsonPathStep): JsonValue[] {
  switch (step.type) {
    case 'field': {
      const field = isObject(value) ? getOwn(value, step.name) : undefined;
      return field === undefined ? [] : [field];
    }
    case 'all':
      return children(value);
    case 'everywhere':
      return descendants(value);
    case 'index': {
      if (!Array.isArray(value)) return [];
      const item = value.at(step.index);
      return item === undefined ? [] : [item];
    }
    case 'slice':
      if (!Array.isArray(value)) return [];
      return value.slice(step.from, step.to).filter((_, index) => index % step.every === 0);
    case 'has':
      return items(value).filter((item) => findAll(item, step.path).length > 0);
    case 'filter':
      return items(value).filter((item) => holds(item, step.left, step.operator, step.right));
  }
}

function children(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return [];
  return Object.keys(value)
    .sort()
    .map((key) => getOwn(value, key) ?? null);
}

function items(value: JsonValue): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function descendants(value: JsonValue): JsonValue[] {
  const found: JsonValue[] = [];
  const waiting = [value];
  for (let next = waiting.pop(); next !== undefined && found.length < MAXIMUM_VALUES; next = waiting.pop()) {
    found.push(next);
    waiting.push(...children(next).toReversed());
  }
  return found;
}

function holds(item: JsonValue, left: FilterSide, operator: string, right: FilterSide): boolean {
  const a = sideOf(item, left);
  const b = sideOf(item, right);
  if (a === undefined || b === undefined) return false;
  switch (operator) {
    case '==':
      return deepEqual(a, b);
    case '!=':
      return !deepEqual(a, b);
    default:
      return compare(a, operator, b);
  }
}

function sideOf(item: JsonValue, side: FilterSide): JsonValue | undefined {
  return 'path' in side ? findFirst(item, side.path) : side.value;
}

function compare(a: JsonValue, operator: string, b: JsonValue): boolean {
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
