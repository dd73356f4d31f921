import { getOwn, isObject, type JsonValue } from '../json/index.js';
import { holds } from './filter.js';
import type { FilterStep, JsonPath, JsonPathStep } from './parse.js';
import { type SearchBudget, VisitBudget } from './search-budget.js';

/** A search costs as much as a few visits even if it visits nothing. */
const SEARCH_UNITS = 4;

/** Array items, or the values of an object, that a search has yet to visit. */
interface Cursor {
  readonly values: readonly JsonValue[];
  at: number;
  readonly end: number;
  readonly every: number;
  readonly filter?: FilterStep;
  /** The index of the step that follows from these values. */
  readonly step: number;
}

/** All values at a path, in document order. A missing step gives no values; the search ends with its budget. */
export function findAll(value: JsonValue, path: JsonPath, budget: SearchBudget = new VisitBudget()): JsonValue[] {
  return [...search(value, path, budget)];
}

/** The first value at a path. Visits nothing after it. */
export function findFirst(
  value: JsonValue,
  path: JsonPath,
  budget: SearchBudget = new VisitBudget(),
): JsonValue | undefined {
  const first = search(value, path, budget).next();
  return first.done === true ? undefined : first.value;
}

/** Depth first, so that the first value is found without the others. */
function* search(root: JsonValue, path: JsonPath, budget: SearchBudget): Generator<JsonValue, void, undefined> {
  if (!budget.spend(SEARCH_UNITS)) return;
  const cursors: Cursor[] = [cursorAt([root], 0)];
  for (let cursor = cursors.at(-1); cursor !== undefined; cursor = cursors.at(-1)) {
    if (cursor.at >= cursor.end) {
      cursors.pop();
      continue;
    }
    if (!budget.spend(1)) return;
    const item = cursor.values[cursor.at] ?? null;
    cursor.at += cursor.every;
    if (cursor.filter !== undefined && !isSelected(item, cursor.filter, budget)) continue;
    let value: JsonValue | undefined = item;
    let index = cursor.step;
    for (; value !== undefined && isSingle(path[index]); index++) {
      if (!budget.spend(1)) return;
      value = single(value, path[index]);
    }
    if (value === undefined) continue;
    const step = path[index];
    if (step === undefined) yield value;
    else cursors.push(...branch(value, step, index, budget));
  }
}

function isSingle(step: JsonPathStep | undefined): boolean {
  return step?.type === 'field' || step?.type === 'index';
}

/** The only value that a step leads to. */
function single(value: JsonValue, step: JsonPathStep | undefined): JsonValue | undefined {
  if (step?.type === 'field') return isObject(value) ? getOwn(value, step.name) : undefined;
  return step?.type === 'index' && Array.isArray(value) ? value.at(step.index) : undefined;
}

/** The values that a step leads to; the last cursor comes first. */
function branch(value: JsonValue, step: JsonPathStep, index: number, budget: SearchBudget): Cursor[] {
  switch (step.type) {
    case 'all':
      return [cursorAt(children(value, budget), index + 1)];
    case 'everywhere':
      return [cursorAt(children(value, budget), index), cursorAt([value], index + 1)];
    case 'slice': {
      if (!Array.isArray(value)) return [];
      const at = position(step.from ?? 0, value.length);
      const end = position(step.to ?? value.length, value.length);
      return [{ values: value, at, end, every: step.every, step: index + 1 }];
    }
    case 'has':
    case 'filter':
      return Array.isArray(value) ? [{ ...cursorAt(value, index + 1), filter: step }] : [];
    default:
      return [];
  }
}

function cursorAt(values: readonly JsonValue[], step: number): Cursor {
  return { values, at: 0, end: values.length, every: 1, step };
}

/** Negative positions count from the end. */
function position(at: number, length: number): number {
  return at < 0 ? Math.max(0, length + at) : Math.min(at, length);
}

function children(value: JsonValue, budget: SearchBudget): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return [];
  const keys = Object.keys(value);
  return budget.spend(keys.length) ? keys.sort().map((key) => getOwn(value, key) ?? null) : [];
}

function isSelected(item: JsonValue, filter: FilterStep, budget: SearchBudget): boolean {
  if (filter.type === 'has') return findFirst(item, filter.path, budget) !== undefined;
  const side = (given: typeof filter.left) => ('path' in given ? findFirst(item, given.path, budget) : given.value);
  return holds(side(filter.left), filter.operator, side(filter.right), budget);
}
