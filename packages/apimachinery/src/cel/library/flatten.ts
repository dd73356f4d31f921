import { Pace, type Steps } from '../../work/index.js';
import { EvaluationError } from '../evaluation-error.js';
import { concatenation } from '../concatenation.js';
import { ListValue, type Value } from '../values.js';

/** About a millisecond. */
const ITEMS_PER_STEP = 20_000;

/**
 * The items of a list with those of the lists in it, down to a depth. The result shares the lists in it, because a list
 * that repeats one holds more items than memory can. A list that occurs often is flattened once.
 */
export function* flatten(values: ListValue, depth: bigint): Steps<ListValue> {
  if (depth < 0n) throw new EvaluationError('level must be non-negative');
  return yield* new Flattening().flatten(values, depth);
}

class Flattening {
  readonly #pace = new Pace(ITEMS_PER_STEP);
  /** By the depth that is left. */
  readonly #known = new Map<bigint, Map<ListValue, ListValue>>();

  *flatten(values: ListValue, depth: bigint): Steps<ListValue> {
    if (depth === 0n) return values;
    const known = this.#known.get(depth) ?? new Map<ListValue, ListValue>();
    this.#known.set(depth, known);
    let flat = known.get(values);
    if (flat === undefined) {
      flat = yield* this.#flatten(values, depth);
      known.set(values, flat);
    }
    return flat;
  }

  *#flatten(values: ListValue, depth: bigint): Steps<ListValue> {
    const parts: ListValue[] = [];
    let items: Value[] = [];
    for (let index = 0; index < values.size; index++) {
      const value = values.at(index);
      if (!(value instanceof ListValue)) items.push(value);
      else {
        if (items.length > 0) parts.push(ListValue.of(items));
        items = [];
        parts.push(yield* this.flatten(value, depth - 1n));
      }
      if (this.#pace.endsStep()) yield;
    }
    if (parts.length === 0) return values;
    if (items.length > 0) parts.push(ListValue.of(items));
    return concatenation(parts);
  }
}
