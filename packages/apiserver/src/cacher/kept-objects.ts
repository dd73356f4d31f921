import type { ValueReader } from '@binnacle/kv';
import { inTurns } from '../slices/index.js';
import { ByteSlabs, type StoredObject } from '../storage/index.js';
import type { ObjectState } from './past-state.js';
import { SortedMap } from './sorted-map.js';

/** Objects per turn of the event loop while sparse slabs are emptied. */
const SETTLED_AT_ONCE = 1000;
/** With fewer objects the first list is fast anyway, so that preparing them would only delay the start. */
const PREPARED_FROM = 256;

/**
 * The objects of a cache, in key order. If a reader of the store is given, the bytes of an object stay in the store and
 * are read on demand. Bytes that are not canonical are kept in memory instead. Those are packed in slabs. Changes and
 * deletions leave gaps in the slabs; each turn of the event loop moves a few objects to close them.
 */
export class KeptObjects implements ObjectState {
  readonly #objects = new SortedMap<StoredObject>();
  readonly #slabs = new ByteSlabs();
  readonly #reader: ValueReader | undefined;
  /** The number of objects for which the values that a list needs are not computed yet. */
  #unprepared = 0;
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
    if (!isStored || object.isUnprepared) object.keepIn(this.#slabs);
    if (object.isUnprepared) this.#unprepared++;
    const replaced = this.#objects.set(object.key, object);
    if (replaced !== object) replaced?.release();
    this.#settleSoon();
  }

  delete(key: string): void {
    this.#objects.get(key)?.release();
    this.#objects.delete(key);
    this.#settleSoon();
  }

  /**
   * Computes in slices what the first list or selection would compute for all objects, if there are many. Returns
   * whether it did. Never rejects.
   */
  async prepare(signal: AbortSignal): Promise<boolean> {
    if (this.#unprepared < PREPARED_FROM) return false;
    await inTurns(Array.from(this.#objects.range('')), (object) => {
      if (!signal.aborted) this.#prepare(object);
    });
    this.#settleSoon();
    return !signal.aborted;
  }

  #prepare(object: StoredObject): void {
    object.prepare();
    // An object that is no longer kept must not read from the reader.
    if (this.#reader !== undefined && this.#objects.get(object.key) === object) object.readFrom(this.#reader);
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
