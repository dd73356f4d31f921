import type { ValueReader } from '@binnacle/kv/interface';
import { inTurns } from '../slices/index.js';
import { ByteSlabs, type StoredObject } from '../storage/index.js';
import type { ObjectState } from './past-state.js';
import { SortedMap } from './sorted-map.js';

/** Objects looked at in one turn of the event loop while sparse slabs are emptied. */
const SETTLED_AT_ONCE = 1000;
/** Of fewer objects, the first list does not take long: a start has better things to do than to be ahead of it. */
const PREPARED_FROM = 256;

/**
 * The objects that a cache keeps, in the order of their keys. Where a reader of the store is given, and the store holds an object's canonical
 * bytes, they stay there and are read whenever they are needed. All other bytes stand side by side in memory of its own. What
 * changes and deletions leave unused is made up for by moving what stands beside it, a little each turn of the event loop.
 */
export class KeptObjects implements ObjectState {
  readonly #objects = new SortedMap<StoredObject>();
  readonly #slabs = new ByteSlabs();
  readonly #reader: ValueReader | undefined;
  #settling = false;

  /** The reader is the caller's to advance: past a revision when the changes up to it are here. */
  constructor(reader?: ValueReader) {
    this.#reader = reader;
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): StoredObject | undefined {
    return this.#objects.get(key);
  }

  range(prefix: string, from?: string): Iterable<StoredObject> {
    return this.#objects.range(prefix, from);
  }

  count(prefix: string, from?: string): number {
    return this.#objects.count(prefix, from);
  }

  /** In place of what stands under the object's key. */
  set(object: StoredObject): void {
    this.#objects.get(object.key)?.release();
    if (this.#reader === undefined || !object.leaveTo(this.#reader)) object.keepIn(this.#slabs);
    this.#objects.set(object.key, object);
    this.#settleSoon();
  }

  delete(key: string): void {
    this.#objects.get(key)?.release();
    this.#objects.delete(key);
    this.#settleSoon();
  }

  /**
   * Where there are many, does beforehand, in short turns, what the first list or selection would have to do for all objects.
   * Never rejects.
   */
  async prepare(signal: AbortSignal): Promise<void> {
    if (this.size < PREPARED_FROM) return;
    await inTurns(Array.from(this.#objects.range('')), (object) => {
      if (!signal.aborted) this.#prepare(object);
    });
    this.#settleSoon();
  }

  #prepare(object: StoredObject): void {
    object.prepare();
    // One that is no longer kept is not in the reader's care either.
    if (this.#reader !== undefined && this.#objects.get(object.key) === object) object.leaveTo(this.#reader);
  }

  #settleSoon(): void {
    if (this.#settling || !this.#slabs.isWasteful) return;
    this.#settling = true;
    setImmediate(() => this.#settle(''));
  }

  #settle(from: string): void {
    let seen = 0;
    for (const object of this.#objects.range('', from)) {
      if (seen++ === SETTLED_AT_ONCE) {
        setImmediate(() => this.#settle(object.key));
        return;
      }
      object.settle();
    }
    this.#settling = false;
  }
}
