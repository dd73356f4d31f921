import type { KeyEvent } from '@binnacle/kv';
import type { ObjectStorage, StoredObject } from '../storage/index.js';
import type { ChangeWindow } from './change-window.js';
import type { ObjectChange } from './event.js';
import type { FieldValue } from './field-index.js';
import { FieldIndexes } from './field-indexes.js';
import { KeptObjects } from './kept-objects.js';
import { type ObjectState, PastState } from './past-state.js';
import type { StateRead } from './read-state.js';
import { changeOf } from './stored-change.js';

/** The current objects of a resource, their indexes, and the changes that lead to them: all at one revision. */
export class CachedState implements ObjectState {
  readonly window: ChangeWindow;
  readonly #storage: Pick<ObjectStorage, 'wrap' | 'recordVerified'>;
  readonly #indexes = new FieldIndexes();
  #objects = new KeptObjects();
  /** Keys of unreadable objects, which the state leaves out. */
  #damaged = new Set<string>();
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
    return [...this.#damaged];
  }

  /** Whether unreadable objects exist under `prefix`, or at this key. */
  isDamaged(prefix: string): boolean {
    for (const key of this.#damaged) if (key.startsWith(prefix)) return true;
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
  replace({ objects, damaged, revision }: StateRead): void {
    this.#changes++;
    this.#objects = objects;
    this.#damaged = new Set(damaged);
    this.#indexes.clear();
    this.window.reset(revision);
    this.#raise(revision);
  }

  /**
   * Prepares the objects for the first list, and then records for later processes which of them the store holds in
   * canonical form. Never rejects: without the record, the next process verifies again.
   */
  async prepare(signal: AbortSignal): Promise<void> {
    const objects = this.#objects;
    const isPrepared = await objects.prepare(signal);
    // An unreadable object may become readable.
    if (!isPrepared || objects !== this.#objects || this.#damaged.size > 0) return;
    await this.#storage.recordVerified(objects.range(''), this.#revision).catch(() => undefined);
  }

  /** Applies one event of a revision. The caller calls {@link advance} after the last one. */
  apply(event: KeyEvent, revision: number, at: number): ObjectChange {
    const { key } = event;
    const known = this.#objects.get(key);
    const change = changeOf(this.#storage, event, revision, known);
    this.#changes++;
    this.#damaged.delete(key);
    if (change.current === undefined) this.#objects.delete(key);
    else this.#objects.set(change.current);
    this.#indexes.replace(known, change.current);
    this.window.push(change, at);
    return change;
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
