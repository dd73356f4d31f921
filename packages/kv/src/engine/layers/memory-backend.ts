import {
  type Backend,
  type BackendState,
  type Expiry,
  FIRST_REVISION,
  type ForgottenState,
  type IndexEntry,
  type LogRecord,
  type Origin,
  type Pointer,
  type Write,
} from '../backend.js';
import { forgottenValue } from '../damage.js';
import { noValue } from '../round.js';
import { ExpiryOrder } from './expiry-order.js';
import { SortedIndex } from './sorted-index.js';

/** The memory of a record besides key and value: the object, its origin, its numbers and its entries in the maps. */
const RECORD_OVERHEAD_BYTES = 300;
const EMPTY: BackendState = {
  revision: FIRST_REVISION,
  compactedRevision: 0,
  removedRevision: 0,
  forgotten: new Map(),
};

/** The data of a store, or of a fork's own writes, in this process' memory. */
export class MemoryBackend implements Backend {
  #index = new SortedIndex();
  #log = new Map<number, LogRecord>();
  #origins = new Map<number, Origin>();
  #expiring = new ExpiryOrder();
  #notes = new Map<string, Uint8Array>();
  #revision: number;
  #compactedRevision: number;
  #removedRevision: number;
  readonly #forgotten: Map<string, ForgottenState>;
  #sizeBytes = 0;

  constructor(state: BackendState = EMPTY) {
    this.#revision = state.revision;
    this.#compactedRevision = state.compactedRevision;
    this.#removedRevision = state.removedRevision;
    this.#forgotten = new Map(state.forgotten);
  }

  initialState(): BackendState {
    return {
      revision: this.#revision,
      compactedRevision: this.#compactedRevision,
      removedRevision: this.#removedRevision,
      forgotten: this.#forgotten,
    };
  }

  visibleRevision(): number {
    return this.#revision;
  }

  pointer(key: string): Pointer | undefined {
    return this.#index.get(key);
  }

  header(revision: number): LogRecord | undefined {
    return this.#log.get(revision);
  }

  record(revision: number): LogRecord | undefined {
    const record = this.#log.get(revision);
    if (record?.isForgotten === true) throw forgottenValue(record.key, revision);
    return record;
  }

  origin(revision: number): Origin | undefined {
    return this.#origins.get(revision);
  }

  view(revision: number): LogRecord | undefined {
    return this.record(revision);
  }

  value(revision: number): Uint8Array | undefined {
    return this.record(revision)?.value;
  }

  scan(prefix: string, from: string, limit: number): IndexEntry[] {
    return this.#index.scan(prefix, from, limit);
  }

  count(prefix: string, from: string): number {
    return this.#index.count(prefix, from);
  }

  expiring(time: number, limit: number): Expiry[] {
    return this.#expiring.until(time, limit);
  }

  async append(writes: readonly Write[]): Promise<void> {
    for (const { revision, record, origin } of writes) {
      const { type, key, createRevision, previousRevision, expiresAt } = record;
      if (type === 'put') this.#index.set(key, { createRevision, modRevision: revision });
      else this.#index.delete(key);
      this.#expiring.delete(previousRevision);
      if (expiresAt > 0) this.#expiring.set({ key, revision, expiresAt });
      this.#log.set(revision, record);
      this.#origins.set(revision, origin);
      this.#sizeBytes += size(record);
      this.#revision = revision;
    }
  }

  async markCompacted(revision: number): Promise<void> {
    this.#compactedRevision = revision;
  }

  async prepareRemoval(): Promise<void> {}

  async removeRecords(revisions: readonly number[], through: number): Promise<void> {
    this.#removedRevision = through;
    for (const revision of revisions) {
      const record = this.#log.get(revision);
      if (record === undefined) continue;
      this.#log.delete(revision);
      this.#origins.delete(revision);
      this.#sizeBytes -= size(record);
    }
  }

  async markForgotten(prefix: string, state: ForgottenState): Promise<void> {
    this.#forgotten.set(prefix, state);
  }

  async forgetValues(revisions: readonly number[], prefix: string, state: ForgottenState): Promise<void> {
    this.#forgotten.set(prefix, state);
    for (const revision of revisions) {
      const record = this.#log.get(revision);
      if (record === undefined) continue;
      this.#log.set(revision, { ...record, value: noValue, isForgotten: true });
      this.#sizeBytes -= record.value.length;
    }
  }

  /** Takes over a key of the store below, which is about to change there. */
  adopt(key: string, pointer: Pointer, expiresAt: number): void {
    this.#index.set(key, pointer);
    const revision = pointer.modRevision;
    if (expiresAt > 0) this.#expiring.set({ key, revision, expiresAt });
  }

  note(name: string): Uint8Array | undefined {
    return this.#notes.get(name);
  }

  async writeNote(name: string, note: Uint8Array): Promise<void> {
    this.#notes.set(name, note);
  }

  sizeBytes(): number {
    return this.#sizeBytes;
  }

  async checkHealth(): Promise<void> {}

  async close(): Promise<void> {
    this.#index = new SortedIndex();
    this.#log = new Map();
    this.#origins = new Map();
    this.#expiring = new ExpiryOrder();
    this.#notes = new Map();
  }
}

function size({ key, value }: LogRecord): number {
  return RECORD_OVERHEAD_BYTES + key.length + value.length;
}
