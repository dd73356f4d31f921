import type { StoredObject } from '../storage/index.js';
import { SortedMap } from './sorted-map.js';

/** One value of a selectable field: `spec.nodeName` = `node-1`. */
export interface FieldValue {
  readonly field: string;
  readonly value: string;
}

const NOTHING: Iterable<StoredObject> = [];

/** The objects by the value of one field, each group in key order. */
export class FieldIndex {
  readonly #field: string;
  readonly #byValue = new Map<string, SortedMap<StoredObject>>();

  constructor(field: string) {
    this.#field = field;
  }

  /** Records that an object was created, changed or deleted. */
  replace(before: StoredObject | undefined, now: StoredObject | undefined): void {
    const old = before?.field(this.#field);
    const value = now?.field(this.#field);
    if (before !== undefined && old !== undefined && old !== value) {
      const objects = this.#byValue.get(old);
      objects?.delete(before.key);
      if (objects?.size === 0) this.#byValue.delete(old);
    }
    if (now === undefined || value === undefined) return;
    let objects = this.#byValue.get(value);
    if (objects === undefined) {
      objects = new SortedMap();
      this.#byValue.set(value, objects);
    }
    objects.set(now.key, now);
  }

  range(value: string, prefix: string): Iterable<StoredObject> {
    return this.#byValue.get(value)?.range(prefix) ?? NOTHING;
  }
}
