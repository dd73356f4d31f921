import type {
  Backend,
  BackendState,
  Expiry,
  ForgottenState,
  IndexEntry,
  LogRecord,
  Origin,
  Pointer,
  RecordHeader,
  Write,
} from '../backend.js';
import type { ChangedKeys } from '../changed-keys.js';
import { unlessDamaged } from '../damage.js';
import type { Pin } from '../compaction.js';
import { compareKeys } from '../keys.js';
import { compareExpiries } from './expiry-order.js';
import { MemoryBackend } from './memory-backend.js';

export interface ForkOptions {
  readonly parent: Backend;
  /** The parent's state at the fork, now or in the past. */
  readonly state: BackendState;
  /** Whether the parent's notes are true of that state. */
  readonly hasNotes: boolean;
  /** Keeps the parent's records that the fork may read. */
  readonly pin: Pin;
  /** Called once, when the fork no longer reads the parent. */
  readonly released: () => Promise<void>;
}

/**
 * A layer of own writes over the state of another backend, the parent, at one revision. It copies nothing: a key that
 * neither side has changed since the fork is read from the parent. The parent calls {@link beforeWrites} and
 * {@link beforeNote} ahead of its own changes, and {@link afterWrites} when they are committed.
 */
export class ForkBackend implements Backend, ChangedKeys {
  readonly #parent: Backend;
  readonly #base: number;
  readonly #pin: Pin;
  readonly #released: () => Promise<void>;
  readonly #layer: MemoryBackend;
  /** Keys whose state is in the layer, present or deleted. */
  readonly #layered = new Set<string>();
  readonly #ownNotes = new Set<string>();
  readonly #hasParentNotes: boolean;
  #isClosed = false;

  constructor({ parent, state, hasNotes, pin, released }: ForkOptions) {
    this.#parent = parent;
    this.#base = state.revision;
    this.#pin = pin;
    this.#released = released;
    this.#layer = new MemoryBackend(state);
    this.#hasParentNotes = hasNotes;
  }

  /** Whether the layer has the state of a key. */
  has(key: string): boolean {
    return this.#layered.has(key);
  }

  /** Takes over the state of a key that the parent has changed since the fork. */
  set(key: string, was: Pointer | undefined): void {
    this.#layered.add(key);
    if (was === undefined) return;
    const header = unlessDamaged(() => this.#parent.header(was.modRevision));
    this.#layer.adopt(key, was, header?.expiresAt ?? 0);
  }

  /** Keeps the present state of the keys that the parent is about to change. */
  beforeWrites(writes: readonly Write[]): void {
    for (const { record, previousExpiresAt } of writes) {
      const { key, createRevision, previousRevision } = record;
      if (this.#layered.has(key)) continue;
      this.#layered.add(key);
      if (previousRevision === 0) continue;
      this.#layer.adopt(key, { createRevision, modRevision: previousRevision }, previousExpiresAt);
    }
  }

  /** Forgets the keys that neither side has any more, such as those of short-lived objects. */
  afterWrites(writes: readonly Write[]): void {
    for (const { record } of writes) {
      const { type, key } = record;
      if (type !== 'delete' || this.#layer.pointer(key) !== undefined || isPresent(this.#parent, key)) continue;
      this.#layered.delete(key);
    }
  }

  /** Keeps a note that the parent is about to replace. */
  beforeNote(name: string): void {
    if (this.#ownNotes.has(name) || !this.#hasParentNotes) return;
    const note = this.#parent.note(name);
    this.#ownNotes.add(name);
    if (note !== undefined) void this.#layer.writeNote(name, note);
  }

  initialState(): BackendState {
    return this.#layer.initialState();
  }

  visibleRevision(): number {
    return this.#layer.visibleRevision();
  }

  pointer(key: string): Pointer | undefined {
    return this.#layered.has(key) ? this.#layer.pointer(key) : this.#parent.pointer(key);
  }

  header(revision: number): RecordHeader | undefined {
    return this.#holderOf(revision).header(revision);
  }

  record(revision: number): LogRecord | undefined {
    return this.#holderOf(revision).record(revision);
  }

  origin(revision: number): Origin | undefined {
    return this.#holderOf(revision).origin(revision);
  }

  view(revision: number): Pick<LogRecord, 'value' | 'tag'> | undefined {
    return this.#holderOf(revision).view(revision);
  }

  value(revision: number): Uint8Array | undefined {
    return this.#holderOf(revision).value(revision);
  }

  scan(prefix: string, from: string, limit: number): IndexEntry[] {
    const own = this.#layer.scan(prefix, from, limit);
    const below = this.#scanBelow(prefix, from, limit);
    if (own.length === 0) return below;
    const merged = own.concat(below).sort((a, b) => compareKeys(a.key, b.key));
    return merged.length > limit ? merged.slice(0, limit) : merged;
  }

  count(prefix: string, from: string): number {
    let count = this.#parent.count(prefix, from) + this.#layer.count(prefix, from);
    for (const key of this.#layered) {
      if (!key.startsWith(prefix) || compareKeys(key, from) < 0) continue;
      if (isPresent(this.#parent, key)) count -= 1;
    }
    return count;
  }

  expiring(time: number, limit: number): Expiry[] {
    const own = this.#layer.expiring(time, limit);
    // A layered key hides at most one entry, so this many suffice.
    const below = this.#parent.expiring(time, limit + this.#layered.size).filter(({ key }) => !this.#layered.has(key));
    return own.concat(below).sort(compareExpiries).slice(0, limit);
  }

  async append(writes: readonly Write[]): Promise<void> {
    for (const { record } of writes) this.#layered.add(record.key);
    await this.#layer.append(writes);
  }

  markCompacted(revision: number): Promise<void> {
    return this.#layer.markCompacted(revision);
  }

  async prepareRemoval(): Promise<void> {}

  /** The parent removes its own records, once no pin holds them. */
  async removeRecords(revisions: readonly number[], through: number): Promise<void> {
    await this.#layer.removeRecords(revisions, through);
    this.#pin.advance(Math.min(through, this.#base));
  }

  markForgotten(prefix: string, state: ForgottenState): Promise<void> {
    return this.#layer.markForgotten(prefix, state);
  }

  /** The parent removes its own values, like its records. */
  async forgetValues(revisions: readonly number[], prefix: string, state: ForgottenState): Promise<void> {
    await this.#layer.forgetValues(revisions, prefix, state);
    this.#pin.advanceValues(prefix, Math.min(state.removed, this.#base));
  }

  note(name: string): Uint8Array | undefined {
    if (this.#ownNotes.has(name)) return this.#layer.note(name);
    return this.#hasParentNotes ? this.#parent.note(name) : undefined;
  }

  async writeNote(name: string, note: Uint8Array): Promise<void> {
    this.#ownNotes.add(name);
    await this.#layer.writeNote(name, note);
  }

  /** Without the parent. */
  sizeBytes(): number {
    return this.#layer.sizeBytes();
  }

  async checkHealth(): Promise<void> {}

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#layer.close();
    this.#pin.release();
    await this.#released();
  }

  #holderOf(revision: number): Backend {
    return revision > this.#base ? this.#layer : this.#parent;
  }

  /** The parent's entries whose keys are not layered. */
  #scanBelow(prefix: string, from: string, limit: number): IndexEntry[] {
    const found: IndexEntry[] = [];
    for (let start = from; ; ) {
      const wanted = limit - found.length;
      const entries = this.#parent.scan(prefix, start, wanted);
      for (const entry of entries) if (!this.#layered.has(entry.key)) found.push(entry);
      const last = entries.at(-1);
      if (last === undefined || entries.length < wanted || found.length >= limit) return found;
      // The least key after the last one.
      start = `${last.key}\0`;
    }
  }
}

function isPresent(backend: Backend, key: string): boolean {
  // A corrupt entry counts, as it does in the parent's count.
  return unlessDamaged(() => backend.pointer(key) ?? false) !== false;
}
