import { OpaqueValue } from '../cel/index.js';
import { deepEqual, type JsonValue } from '../json/index.js';
import type { ReadCount } from './read-count.js';

/**
 * Content that a schema preserves without knowing it. Expressions cannot access it, but compare it as part of other
 * values.
 */
export class UnknownValue extends OpaqueValue {
  readonly typeName = 'unknown';
  readonly #json: JsonValue;
  readonly #reads: ReadCount;

  constructor(json: JsonValue, reads: ReadCount) {
    super();
    this.#json = json;
    this.#reads = reads;
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof UnknownValue && equalJson(this.#json, other.#json, this.#reads);
  }
}

/** Counts a read for each value visited. */
export function equalJson(left: JsonValue, right: JsonValue, reads: ReadCount): boolean {
  reads.add(weightOf(left));
  return deepEqual(left, right);
}

/** The number of values in a JSON tree. */
function weightOf(json: JsonValue): number {
  if (typeof json !== 'object' || json === null) return 1;
  return Object.values(json).reduce<number>((sum, below) => sum + weightOf(below ?? null), 1);
}
