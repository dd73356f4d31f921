import type { ValueReader } from '@binnacle/kv';
import { ByteSlabs, type StoredObject } from '../storage/index.js';
import type { ObjectState } from './past-state.js';
import { SortedMap } from './sorted-map.js';

/** Objects per turn of the event loop while sparse slabs are emptied. */
const SETTLED_AT_ONCE = 1000;

/**
 * The objects of a cache, in key order. If a reader of the store is given, the bytes of an object stay in the store and
 * are read on demand. Bytes that are not canonical are kept in memory instead. Those are packed in slabs. Changes and
 * deletions leave gaps in the slabs; each turn of the event loop moves a few objects to close them.
 */
export class KeptObjects implements ObjectState {
  readonly #objects = new SortedMap<StoredObject>();
  readonly #slabs = new ByteSlabs();
  readonly #reader: ValueReader | undefined;
  #settling = false;

  /** Owns the reader. */
  constructor(reader?: ValueReader) {
    this.#reader = reader;
  }

  /** Lets the store drop what was replaced or deleted up to this revision, whose changes are all here. */
  advance(revision: number): void {
    this.#reader?.advance(revision);
  }

  /** Lets the store drop everything; the objects can still be read while it has them. */
  close(): void {
    this.#reader?.close();
  }

  get size(): number {
    return this.#objects.size;
  }

  /** The bytes of all objects, estimated from one of some hundreds. */
  get estimatedBytes(): number {
    let [sampled, bytes] = [0, 0];
    for (const object of this.#objects.sample()) {
      bytes += object.size;
      sampled++;
    }
    return sampled === 0 ? 0 : Math.round((bytes / sampled) * this.#objects.size);
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

  /** Adds the object, or replaces the one under its key. */
  set(object: StoredObject): void {
    const isStored = this.#reader !== undefined && object.readFrom(this.#reader);
    if (!isStored) object.keepIn(this.#slabs);
    const replaced = this.#objects.set(object.key, object);
    if (replaced !== object) replaced?.release();
    this.#settleSoon();
  }

  delete(key: string): void {
    this.#objects.get(key)?.release();
    this.#objects.delete(key);
    this.#settleSoon();
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
