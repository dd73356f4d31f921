import { compareUtf8 } from '@binnacle/apimachinery/json';
import type { StoredObject } from '../storage/index.js';
import type { ObjectChange } from './event.js';

/** The objects of a resource as of one revision, in key order. Consume it before anything is awaited. */
export interface ObjectState {
  /** Objects under `prefix`, from key `from` on. */
  range(prefix: string, from?: string): Iterable<StoredObject>;
  /** How many objects {@link range} would yield. */
  count(prefix: string, from?: string): number;
  get(key: string): StoredObject | undefined;
}

/**
 * The state before a number of changes: the present one with those changes undone. It keeps nothing that the window of
 * changes does not keep anyway, so that a state nobody asks for costs nothing.
 */
export class PastState implements ObjectState {
  readonly #present: ObjectState;
  /** What stood there before: of each key the first change decides. */
  readonly #before = new Map<string, StoredObject | undefined>();
  #sortedKeys: string[] | undefined;

  /** `changes`: all between the past state and the present one, oldest first. */
  constructor(present: ObjectState, changes: Iterable<ObjectChange>) {
    this.#present = present;
    for (const { key, previous } of changes) if (!this.#before.has(key)) this.#before.set(key, previous);
  }

  get(key: string): StoredObject | undefined {
    return this.#before.has(key) ? this.#before.get(key) : this.#present.get(key);
  }

  count(prefix: string, from = prefix): number {
    let count = this.#present.count(prefix, from);
    for (const [key, before] of this.#before) {
      if (!key.startsWith(prefix) || compareUtf8(key, from) < 0) continue;
      count += (before === undefined ? 0 : 1) - (this.#present.get(key) === undefined ? 0 : 1);
    }
    return count;
  }

  *range(prefix: string, from = prefix): Generator<StoredObject> {
    const changed = this.#keys().filter((key) => key.startsWith(prefix) && compareUtf8(key, from) >= 0);
    let next = 0;
    for (const object of this.#present.range(prefix, from)) {
      for (let key = changed[next]; key !== undefined; key = changed[next]) {
        if (compareUtf8(key, object.key) > 0) break;
        next++;
        const before = this.#before.get(key);
        if (before !== undefined) yield before;
      }
      if (!this.#before.has(object.key)) yield object;
    }
    for (; next < changed.length; next++) {
      const before = this.#before.get(changed[next] ?? '');
      if (before !== undefined) yield before;
    }
  }

  #keys(): string[] {
    this.#sortedKeys ??= [...this.#before.keys()].sort(compareUtf8);
    return this.#sortedKeys;
  }
}
