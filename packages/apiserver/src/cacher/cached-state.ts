import type { KeyEvent } from '@binnacle/kv';
import type { ObjectStorage, StoredObject, UnreadableObject } from '../storage/index.js';
import type { ChangeWindow } from './change-window.js';
import { ObjectChange } from './event.js';
import type { FieldValue } from './field-index.js';
import { FieldIndexes } from './field-indexes.js';
import { KeptObjects } from './kept-objects.js';
import { type ObjectState, PastState } from './past-state.js';
import type { StateRead } from './read-state.js';
import { changeOf } from './stored-change.js';

/** The cache records what it has decoded of so many objects or more. Fewer cost the next process little. */
const RECORDED_FROM = 256;

/** An object that the state leaves out. */
interface Unreadable {
  readonly object: UnreadableObject;
  /** Its newest state that could be read, which watchers have; undefined = unknown. */
  readonly last: StoredObject | undefined;
}

/** The current objects of a resource, their indexes, and the changes that lead to them: all at one revision. */
export class CachedState implements ObjectState {
  readonly window: ChangeWindow;
  readonly #storage: Pick<ObjectStorage, 'wrap' | 'recordVerified'>;
  readonly #indexes = new FieldIndexes();
  #objects = new KeptObjects();
  /** By key. */
  #damaged = new Map<string, Unreadable>();
  /** How many objects of {@link replace} had to be decoded. */
  #decoded = 0;
  #revision = 0;
  #changes = 0;

  constructor(storage: Pick<ObjectStorage, 'wrap' | 'recordVerified'>, window: ChangeWindow) {
    this.#storage = storage;
    this.window = window;
  }

  /** The state has everything in the store up to this revision. */
  get revision(): number {
    return this.#revision;
  }

  /** Increases whenever an object may have changed, and not with other revisions of the store. */
  get changes(): number {
    return this.#changes;
  }

  get size(): number {
    return this.#objects.size;
  }

  get estimatedBytes(): number {
    return this.#objects.estimatedBytes;
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

  /** The keys of the unreadable objects. */
  get damaged(): readonly string[] {
    return [...this.#damaged.keys()];
  }

  /** Whether unreadable objects exist under `prefix`, or at this key. */
  isDamaged(prefix: string): boolean {
    for (const key of this.#damaged.keys()) if (key.startsWith(prefix)) return true;
    return false;
  }

  /** Objects under `prefix` with this value of a field, in key order. Examines all until the field has an index. */
  *selected(value: FieldValue, prefix: string): Iterable<StoredObject> {
    const indexed = this.#indexes.find(value, prefix);
    if (indexed !== undefined) yield* indexed;
    else for (const object of this.range(prefix)) if (object.field(value.field) === value.value) yield object;
  }

  /** Builds the index of a field on the first call, in slices; undefined = the index is complete. */
  indexing(field: string): Promise<void> | undefined {
    return this.#indexes.build(field, this.#objects);
  }

  /** The state at a revision; undefined when it is older than the window or not reached yet. */
  at(revision: number): ObjectState | undefined {
    if (revision < this.window.start || revision > this.#revision) return undefined;
    if (this.window.isUnchangedSince(revision)) return this.#objects;
    return new PastState(this.#objects, this.window.after(revision));
  }

  /** Replaces everything by another state of the store. */
  replace({ objects, damaged, decoded, revision }: StateRead): void {
    this.#changes++;
    this.#objects = objects;
    this.#damaged = new Map(damaged.map((object) => [object.key, { object, last: undefined }]));
    this.#decoded = decoded;
    this.#indexes.clear();
    this.window.reset(revision);
    this.#raise(revision);
  }

  /**
   * Records for later processes which objects the store holds in canonical form, if many had to be decoded to know it. Call
   * it after {@link replace}. Never rejects: without the record, the next process verifies again.
   */
  async record(): Promise<void> {
    const objects = this.#objects;
    // An unreadable object may become readable.
    if (this.#decoded < RECORDED_FROM || this.#damaged.size > 0) return;
    await this.#storage.recordVerified(objects.range(''), this.#revision).catch(() => undefined);
  }

  /**
   * Applies one event of a revision, and returns the change for watchers; undefined if its object cannot be read, which they
   * do not see. The caller calls {@link advance} after the last one.
   */
  apply(event: KeyEvent, revision: number, at: number): ObjectChange | undefined {
    const { key } = event;
    const known = this.#objects.get(key);
    const damaged = this.#damaged.get(key);
    const last = damaged === undefined ? known : damaged.last;
    const change = changeOf(this.#storage, event, revision, { known: last, damaged: damaged?.object });
    const isReadable = change instanceof ObjectChange;
    const current = isReadable ? change.current : undefined;
    this.#changes++;
    if (current === undefined) this.#objects.delete(key);
    else this.#objects.set(current);
    this.#indexes.replace(known, current);
    if (isReadable) this.#damaged.delete(key);
    else this.#damaged.set(key, { object: change, last });
    if (isReadable && damaged === undefined) this.window.push(change, at);
    // Only the store knows the states in which the object could not be read.
    else this.window.reset(revision);
    return isReadable ? change : undefined;
  }

  /** Every change up to `revision` has been applied. `now`: milliseconds of the clock of {@link apply}. */
  advance(revision: number, now: number): void {
    this.window.trim(now);
    this.#raise(revision);
  }

  /** The feed has ended: the objects read nothing more from the store. */
  close(): void {
    this.#objects.close();
  }

  #raise(revision: number): void {
    if (revision > this.#revision) this.#revision = revision;
    // Objects replaced up to here have already copied their bytes.
    this.#objects.advance(revision);
  }
}
