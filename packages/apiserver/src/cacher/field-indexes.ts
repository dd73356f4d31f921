import { inTurns } from '../slices/index.js';
import type { StoredObject } from '../storage/index.js';
import { FieldIndex, type FieldValue } from './field-index.js';
import type { ObjectState } from './past-state.js';

/** The indexes of the fields that selectors have used. Each is built in slices while the objects change. */
export class FieldIndexes {
  readonly #indexes = new Map<string, FieldIndex>();
  /** The indexes that are still being built. */
  readonly #indexing = new Map<string, Promise<void>>();

  /** Objects under `prefix` with this value, in key order; undefined = the field has no complete index. */
  find({ field, value }: FieldValue, prefix: string): Iterable<StoredObject> | undefined {
    return this.#indexing.has(field) ? undefined : this.#indexes.get(field)?.range(value, prefix);
  }

  /**
   * Builds the index of a field on the first call; undefined = the index is complete. The caller reports changes of
   * `objects` meanwhile.
   */
  build(field: string, objects: ObjectState): Promise<void> | undefined {
    if (this.#indexes.has(field)) return this.#indexing.get(field);
    const index = new FieldIndex(field);
    this.#indexes.set(field, index);
    const made = inTurns(Array.from(objects.range('')), (object) => {
      if (objects.get(object.key) === object) index.replace(undefined, object);
    }).finally(() => {
      if (this.#indexing.get(field) === made) this.#indexing.delete(field);
    });
    this.#indexing.set(field, made);
    return made;
  }

  /** Records that an object was created, changed or deleted. */
  replace(before: StoredObject | undefined, now: StoredObject | undefined): void {
    for (const index of this.#indexes.values()) index.replace(before, now);
  }

  /** Forgets all indexes, because the objects have been replaced. */
  clear(): void {
    this.#indexes.clear();
    this.#indexing.clear();
  }
}
