import { abortable, steadyTime } from '@binnacle/apimachinery/clock';
import { pause } from '@binnacle/apimachinery/turns';
import {
  KVError,
  type ForkOptions,
  type HistoryPage,
  type HistoryRequest,
  type KVSnapshot,
  type KVStatus,
  type LocalKV,
  type RangeRequest,
  type RangeResult,
  type TxnRequest,
  type TxnResult,
  type ValueReader,
  type WatchRequest,
  type WatchSink,
} from '../interface/index.js';
import type { Backend, ForgottenState } from './backend.js';
import { type ChangedKeys, noteChanges, noteMostChanges } from './changed-keys.js';
import { Closable, closedError } from './closable.js';
import { Compaction, futureRevision } from './compaction.js';
import { Condensation } from './condensation.js';
import { Expiration } from './expiration.js';
import { Forgetting, type KeyRange } from './forgetting.js';
import { findRevisionAt, readHistory } from './history.js';
import { ForkBackend } from './layers/fork-backend.js';
import { StateSnapshot } from './state-snapshot.js';
import type { EngineOptions } from './options.js';
import { readRange } from './range.js';
import {
  checkCompaction,
  checkForgetting,
  checkHistory,
  checkNote,
  checkRange,
  checkTxn,
  checkWatch,
} from './requests.js';
import type { Round } from './round.js';
import { StoredValueReader } from './stored-value-reader.js';
import { Watchers } from './watchers.js';
import { Writer } from './writer.js';

/** Creates an in-process store over a backend, and takes ownership of the backend. */
export function createEngineKV(options: EngineOptions): LocalKV {
  return new EngineKV(options);
}

class EngineKV extends Closable implements LocalKV {
  readonly #backend: Backend;
  readonly #writer: Writer;
  readonly #watchers: Watchers;
  readonly #expiration: Expiration;
  readonly #compaction: Compaction;
  readonly #condensation: Condensation | undefined;
  readonly #forgetting: Forgetting;
  readonly #time: Pick<EngineOptions, 'clock' | 'now'>;
  readonly #forks = new Set<ForkBackend>();
  #hasEnded = false;

  constructor({ backend, clock, now, condensing }: EngineOptions) {
    super();
    this.#backend = backend;
    this.#time = { clock, now };
    this.#writer = new Writer({
      backend,
      now,
      revision: backend.initialState().revision,
      committing: (writes) => {
        for (const fork of this.#forks) fork.beforeWrites(writes);
      },
      committed: (round, revision) => this.#committed(round, revision),
    });
    this.#compaction = new Compaction(backend, this.#writer);
    this.#watchers = new Watchers({
      backend,
      revision: () => this.#writer.revision,
      checkReadable: (prefix, revision) => this.#checkValues({ prefix }, revision),
    });
    this.#forgetting = new Forgetting({ backend, writer: this.#writer, compaction: this.#compaction });
    this.#expiration = new Expiration(backend, this.#writer, { clock, now });
    this.#condensation =
      condensing &&
      new Condensation({ ...condensing, backend, writer: this.#writer, compaction: this.#compaction, clock, now });
    // A failure leaves work for the next compaction, which reports it to its caller.
    this.#compaction.resume().catch(() => undefined);
    this.#forgetting.resume().catch(() => undefined);
  }

  async range(request: RangeRequest, signal?: AbortSignal): Promise<RangeResult> {
    this.#begin(signal);
    checkRange(request);
    const revision = request.revision ?? this.#writer.revision;
    this.#checkReadable(revision);
    this.#checkValues(request, revision);
    return this.#compaction.pinned(revision, () => readRange(this.#readContext(signal), request, revision));
  }

  async history(request: HistoryRequest, signal?: AbortSignal): Promise<HistoryPage> {
    this.#begin(signal);
    checkHistory(request);
    const { compactedRevision } = this.#compaction;
    if (request.after !== undefined) this.#checkReadable(request.after);
    if (request.before !== undefined) this.#checkReadable(request.before - 1);
    const context = { ...this.#readContext(signal), compactedRevision };
    return this.#compaction.pinned(compactedRevision, () => readHistory(context, request));
  }

  async revisionAt(time: number, signal?: AbortSignal): Promise<number> {
    this.#begin(signal);
    const { compactedRevision } = this.#compaction;
    const known = { newest: this.#writer.revision, compacted: compactedRevision, time };
    const revision = findRevisionAt(this.#backend, known);
    if (revision !== undefined) return revision;
    const at = new Date(time).toISOString();
    throw new KVError(
      'compacted',
      `the state at ${at} has been compacted, the oldest revision is ${compactedRevision}`,
    );
  }

  async txn(request: TxnRequest, signal?: AbortSignal): Promise<TxnResult> {
    this.#begin(signal);
    checkTxn(request);
    return abortable(this.#writer.transact(request, signal), signal);
  }

  watch(request: WatchRequest, sink: WatchSink, signal: AbortSignal): void {
    checkWatch(request);
    if (!this.closed) this.#watchers.add(request, sink, signal);
    else queueMicrotask(() => signal.aborted || sink.ended(closedError()));
  }

  openReader(revision: number): ValueReader {
    this.checkOpen();
    this.#checkReadable(revision);
    const pin = this.#compaction.pin(revision);
    return new StoredValueReader({ backend: this.#backend, pin, checkOpen: () => this.checkOpen() });
  }

  readNote(name: string): Uint8Array | undefined {
    this.checkOpen();
    return this.#backend.note(name);
  }

  async writeNote(name: string, note: Uint8Array): Promise<void> {
    this.checkOpen();
    checkNote(name, note);
    return this.#writer.chore(() => {
      for (const fork of this.#forks) fork.beforeNote(name);
      return this.#backend.writeNote(name, note);
    });
  }

  fork(options: ForkOptions = {}): LocalKV {
    this.checkOpen();
    return this.#begun(this.#newFork(this.#writer.revision, true), options);
  }

  async forkAt(revision: number, options: ForkOptions = {}, signal?: AbortSignal): Promise<LocalKV> {
    this.#begin(signal);
    this.#checkReadable(revision);
    if (revision === this.#writer.revision) return this.fork(options);
    const fork = this.#newFork(revision, false);
    try {
      const { backend, pause } = this.#readContext(signal);
      const newest = (): number => this.#writer.revision;
      const changed = this.#withValues(fork);
      const seen = await noteMostChanges({ backend, revision: newest, from: revision, changed, pause });
      // Nothing is awaited from here on, so that no write comes between.
      noteChanges(backend, changed, seen, newest());
      return this.#begun(fork, options);
    } catch (error) {
      await fork.close();
      throw error;
    }
  }

  /** Throws `compacted` when the fork would take over a value that is forgotten. */
  #withValues(fork: ForkBackend): ChangedKeys {
    return {
      has: (key) => fork.has(key),
      set: (key, was, at) => {
        if (was !== undefined) this.#forgetting.requireValue(key, at);
        fork.set(key, was);
      },
    };
  }

  /** A fork that is not told of the writes of this store yet. */
  #newFork(revision: number, hasNotes: boolean): ForkBackend {
    const { compactedRevision } = this.#compaction;
    const pin = this.#compaction.pin(compactedRevision);
    const forgotten = new Map<string, ForgottenState>();
    for (const [prefix, known] of this.#forgetting.revisions()) {
      const own = Math.min(known, revision);
      forgotten.set(prefix, { revision: own, removed: own });
      pin.advanceValues(prefix, known);
    }
    const fork = new ForkBackend({
      parent: this.#backend,
      state: { revision, compactedRevision, removedRevision: compactedRevision, forgotten },
      hasNotes,
      pin,
      released: async () => {
        if (this.#forks.delete(fork)) await this.#releaseBackend();
      },
    });
    return fork;
  }

  /** A store over a fork that has the states of all keys that have changed since. */
  #begun(fork: ForkBackend, { clock }: ForkOptions): LocalKV {
    fork.beforeWrites(this.#writer.inFlight);
    this.#forks.add(fork);
    const time = clock === undefined ? this.#time : { clock, now: steadyTime(clock) };
    return createEngineKV({ backend: fork, ...time });
  }

  snapshot(): KVSnapshot {
    this.checkOpen();
    const revision = this.#writer.revision;
    return new StateSnapshot({
      backend: this.#backend,
      writer: this.#writer,
      revision,
      pin: this.#compaction.pin(revision),
      checkOpen: () => this.checkOpen(),
    });
  }

  async compact(revision: number, signal?: AbortSignal): Promise<void> {
    this.#begin(signal);
    checkCompaction(revision);
    return abortable(this.#compaction.compact(revision), signal);
  }

  async forgetValues(prefix: string, revision: number, signal?: AbortSignal): Promise<void> {
    this.#begin(signal);
    checkForgetting(prefix, revision);
    if (revision > this.#writer.revision) throw futureRevision(revision, this.#writer.revision);
    return abortable(this.#forgetting.forget(prefix, revision), signal);
  }

  async currentRevision(signal?: AbortSignal): Promise<number> {
    this.#begin(signal);
    return this.#writer.revision;
  }

  revisionNow(): number {
    this.#begin(undefined);
    return this.#writer.revision;
  }

  async status(signal?: AbortSignal): Promise<KVStatus> {
    this.#begin(signal);
    return {
      revision: this.#writer.revision,
      compactedRevision: this.#compaction.compactedRevision,
      sizeBytes: this.#backend.sizeBytes(),
    };
  }

  async checkHealth(signal?: AbortSignal): Promise<void> {
    this.#begin(signal);
    await this.#backend.checkHealth();
  }

  protected async end(): Promise<void> {
    this.#expiration.stop();
    this.#compaction.stop();
    this.#forgetting.stop();
    this.#condensation?.stop();
    await this.#writer.drained();
    this.#watchers.endAll(closedError());
    this.#hasEnded = true;
    await this.#releaseBackend();
  }

  /** Forks read the backend, so it stays open until the last of them is closed. */
  async #releaseBackend(): Promise<void> {
    if (this.#hasEnded && this.#forks.size === 0) await this.#backend.close();
  }

  #readContext(signal: AbortSignal | undefined) {
    return {
      backend: this.#backend,
      revision: () => this.#writer.revision,
      pause: async () => {
        // Many reads share a turn of the loop; one after the other would hold it for the sum of their slices.
        await pause();
        signal?.throwIfAborted();
        this.checkOpen();
      },
    };
  }

  #checkReadable(revision: number): void {
    const newest = this.#writer.revision;
    const compacted = this.#compaction.compactedRevision;
    if (revision > newest) throw futureRevision(revision, newest);
    if (revision < compacted) {
      throw new KVError('compacted', `revision ${revision} has been compacted, the oldest is ${compacted}`);
    }
  }

  #checkValues(keys: KeyRange, revision: number): void {
    if (revision < this.#compaction.compactedRevision) this.#checkReadable(revision);
    this.#forgetting.checkReadable(keys, revision);
  }

  #begin(signal: AbortSignal | undefined): void {
    this.checkOpen();
    signal?.throwIfAborted();
    this.#expiration.check();
  }

  #committed({ events, writes }: Round, revision: number): void {
    for (const fork of this.#forks) fork.afterWrites(writes);
    for (const { record } of writes) if (record.expiresAt > 0) this.#expiration.schedule(record.expiresAt);
    this.#watchers.publish(events, revision);
  }
}
