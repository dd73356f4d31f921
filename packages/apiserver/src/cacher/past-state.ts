import { compareUtf8 } from '@binnacle/apimachinery/json';
import type { StoredObject } from '../storage/index.js';
import type { ObjectChange } from './event.js';

/** The objects of a resource at one revision, in key order. Consume it before the next await. */
export interface ObjectState {
  /** Objects under `prefix`, from key `from` on. */
  range(prefix: string, from?: string): Iterable<StoredObject>;
  /** How many objects {@link range} would yield. */
  count(prefix: string, from?: string): number;
  get(key: string): StoredObject | undefined;
}

/** A key that has changed since the past state. */
interface ChangedKey {
  /** The object at that time, from the first change. */
  readonly before: StoredObject | undefined;
  /** Whether the object exists now, from the last change. */
  present: boolean;
}

/** Code units that sort otherwise than their UTF-8 bytes: surrogates, and those after them. */
const LAST_UNITS = /[\ud800-\uffff]/;

/**
 * The present state with a number of changes undone. It keeps nothing beyond the window of changes, so a state costs
 * nothing until it is read.
 */
export class PastState implements ObjectState {
  readonly #present: ObjectState;
  readonly #changed = new Map<string, ChangedKey>();
  #sortedKeys: string[] | undefined;
  /** Orders keys by bytes. Comparing code units is faster, and differs only where both keys contain surrogates. */
  readonly #compare: (a: string, b: string) => number;

  /** `changes`: every change between the past state and the present one, oldest first. */
  constructor(present: ObjectState, changes: Iterable<ObjectChange>) {
    this.#present = present;
    let last = false;
    for (const { key, previous, current } of changes) {
      const known = this.#changed.get(key);
      if (known === undefined) {
        this.#changed.set(key, { before: previous, present: current !== undefined });
        last ||= LAST_UNITS.test(key);
      } else {
        known.present = current !== undefined;
      }
    }
    this.#compare = last ? compareUtf8 : compareUnits;
  }

  get(key: string): StoredObject | undefined {
    const changed = this.#changed.get(key);
    return changed === undefined ? this.#present.get(key) : changed.before;
  }

  count(prefix: string, from = prefix): number {
    let count = this.#present.count(prefix, from);
    for (const [key, { before, present }] of this.#changed) {
      if (!key.startsWith(prefix) || this.#compare(key, from) < 0) continue;
      count += (before === undefined ? 0 : 1) - (present ? 1 : 0);
    }
    return count;
  }

  *range(prefix: string, from = prefix): Generator<StoredObject> {
    const changed = this.#keys().filter((key) => key.startsWith(prefix) && this.#compare(key, from) >= 0);
    let next = 0;
    for (const object of this.#present.range(prefix, from)) {
      for (let key = changed[next]; key !== undefined; key = changed[next]) {
        if (this.#compare(key, object.key) > 0) break;
        next++;
        const before = this.#changed.get(key)?.before;
        if (before !== undefined) yield before;
      }
      if (!this.#changed.has(object.key)) yield object;
    }
    for (; next < changed.length; next++) {
      const before = this.#changed.get(changed[next] ?? '')?.before;
      if (before !== undefined) yield before;
    }
  }

  #keys(): string[] {
    this.#sortedKeys ??= [...this.#changed.keys()].sort(this.#compare);
    return this.#sortedKeys;
  }
}

function compareUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
