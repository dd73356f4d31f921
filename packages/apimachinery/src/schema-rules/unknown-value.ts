import { OpaqueValue } from '../cel/index.js';
import { deepEqual, type JsonValue } from '../json/index.js';
import type { ReadCount } from './read-count.js';

/** What a schema keeps without knowing it: expressions cannot name it, but compare it as part of what they can. */
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

/** Pays for what is looked at. */
export function equalJson(left: JsonValue, right: JsonValue, reads: ReadCount): boolean {
  reads.add(weightOf(left));
  return deepEqual(left, right);
}

/** How many values there are in one. */
function weightOf(json: JsonValue): number {
  if (typeof json !== 'object' || json === null) return 1;
  return Object.values(json).reduce<number>((sum, below) => sum + weightOf(below ?? null), 1);
}
