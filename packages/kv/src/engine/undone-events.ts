import { type RangeRequest, KVError } from '../interface/index.js';
import type { Backend, IndexEntry, Pointer } from './backend.js';
import { unlessDamaged } from './damage.js';

/** How many heads of records, or entries of the index, to read before yielding to other work. */
const READS_PER_SLICE = 500;

/**
 * The state of a key that a later event has changed: its value at the wanted revision, and whether the index has it
 * now.
 */
export interface Undo {
  /** Undefined if the key was absent. */
  readonly was: Omit<IndexEntry, 'key'> | undefined;
  present: boolean;
}

export interface UndoneEventsOptions {
  readonly backend: Backend;
  readonly request: Pick<RangeRequest, 'prefix' | 'exact'>;
  /** Whether the request asks for a key. */
  readonly matches: (key: string) => boolean;
  readonly revision: number;
}

/**
 * The events after a revision, which tell how the keys of the index were at that revision.
 *
 * An event whose record cannot be read belongs to the key whose next event, or whose index entry, points to it. That key is
 * damaged if it existed at the revision, and all others can be read. Nothing points to the deletion of a key.
 */
export class UndoneEvents {
  /** The keys of the request that have changed. */
  readonly keys = new Map<string, Undo>();
  readonly #options: UndoneEventsOptions;
  /** The revisions of events whose keys are not known. */
  readonly #unknown = new Set<number>();
  #seen: number;
  /** Where the search of the index continues; undefined at its end. */
  #from: string | undefined = '';

  constructor(options: UndoneEventsOptions) {
    this.#options = options;
    this.#seen = options.revision;
  }

  /** Whether all events up to the visible revision are undone. */
  isComplete(): boolean {
    return this.#seen >= this.#options.backend.visibleRevision() && (this.#from === undefined || this.#isCertain());
  }

  /** Does a part of the work, in bounded time. */
  undoSlice(): void {
    const visible = this.#options.backend.visibleRevision();
    if (this.#seen >= visible) {
      this.#searchIndex();
      return;
    }
    const end = Math.min(visible, this.#seen + READS_PER_SLICE);
    for (; this.#seen < end; this.#seen += 1) this.#undo(this.#seen + 1);
  }

  /** Throws `corrupt` if an event without a known key may have changed what the request reads. */
  requireCertain(): void {
    const [revision] = this.#unknown;
    if (revision === undefined || this.#isCertain()) return;
    this.#options.backend.header(revision);
    throw new KVError('corrupt', `the record of revision ${revision} is missing from the store`);
  }

  #undo(revision: number): void {
    const header = unlessDamaged(() => this.#options.backend.header(revision));
    if (header === undefined) {
      this.#unknown.add(revision);
      return;
    }
    const { key, createRevision, previousRevision } = header;
    const pointer = { createRevision, modRevision: previousRevision };
    const isDamaged = this.#unknown.delete(previousRevision);
    if (!this.#options.matches(key)) return;
    const present = header.type === 'put';
    const known = this.keys.get(key);
    if (known !== undefined) known.present = present;
    else if (isDamaged) this.keys.set(key, { was: this.#beforeUnread(pointer), present });
    else this.keys.set(key, { was: previousRevision === 0 ? undefined : pointer, present });
  }

  /** Finds the keys of events that no later event has superseded. A key that changes meanwhile is found by its event. */
  #searchIndex(): void {
    const entries = this.#options.backend.scan('', this.#from ?? '', READS_PER_SLICE);
    // Corrupt entries may be out of order.
    const sound = entries.filter(({ damaged }) => damaged !== true);
    for (const entry of sound) this.#attribute(entry);
    const last = entries.length < READS_PER_SLICE ? undefined : sound.at(-1);
    this.#from = last && `${last.key}\0`;
  }

  #attribute({ key, createRevision, modRevision }: IndexEntry): void {
    if (!this.#unknown.delete(modRevision) || !this.#options.matches(key) || this.keys.has(key)) return;
    this.keys.set(key, { was: this.#beforeUnread({ createRevision, modRevision }), present: true });
  }

  /** A key before an event that cannot be read. The event is all that knows the value before it. */
  #beforeUnread(pointer: Pointer): Undo['was'] {
    return pointer.createRevision > this.#options.revision ? undefined : { ...pointer, damaged: true };
  }

  /** A key that existed at the revision has no event before the first one that is known. */
  #isCertain(): boolean {
    if (this.#unknown.size === 0) return true;
    const { backend, request, revision } = this.#options;
    if (request.exact !== true) return false;
    const known = this.keys.get(request.prefix);
    if (known !== undefined) return known.was !== undefined;
    const pointer = unlessDamaged(() => backend.pointer(request.prefix));
    return pointer !== undefined && pointer.modRevision <= revision;
  }
}
