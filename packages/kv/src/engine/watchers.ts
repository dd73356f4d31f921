import { isTurnOver, nextTurn } from '@binnacle/apimachinery/turns';
import { type EventBatch, GuardedSink, KVError, type WatchRequest, type WatchSink } from '../interface/index.js';
import type { Backend } from './backend.js';
import { toEvent, toKeyValue, type WatchableEvent } from './round.js';

/** A replay begins with this much even if other work has used up the turn, so that a short one is complete at once. */
const LEAST_RECORDS = 16;
const LEAST_BYTES = 64 * 1024;

export interface WatchersContext {
  readonly backend: Backend;
  /** The newest committed revision at the time of the call. */
  readonly revision: () => number;
  /** Throws `compacted` unless all events under the prefix after the revision can be read. */
  readonly checkReadable: (prefix: string, revision: number) => void;
}

/**
 * All watches of a store. A watch from the past replays the log, in turns that all replays share, and waits for its receiver. When
 * it reaches the newest revision it becomes `live` in the same turn, and then receives every commit.
 */
export class Watchers {
  readonly #context: WatchersContext;
  readonly #all = new Set<Watcher>();

  constructor(context: WatchersContext) {
    this.#context = context;
  }

  add(request: WatchRequest, sink: WatchSink, signal: AbortSignal): void {
    if (signal.aborted) return;
    const watcher = new Watcher(request, sink, signal, (done) => this.#all.delete(done));
    this.#all.add(watcher);
    queueMicrotask(() => this.#replay(watcher));
  }

  publish(events: readonly WatchableEvent[], revision: number): void {
    for (const watcher of this.#all) if (watcher.live) watcher.deliver(events, revision);
  }

  endAll(error: KVError): void {
    for (const watcher of this.#all) watcher.end(error);
  }

  #replay(watcher: Watcher): void {
    try {
      const waiting = this.#replaySlice(watcher);
      if (waiting !== undefined) void waiting.then(() => this.#replay(watcher));
    } catch (cause) {
      watcher.end(unreadable(watcher.position + 1, cause));
    }
  }

  /** Returns what the rest of the replay waits for. */
  #replaySlice(watcher: Watcher): Promise<void> | undefined {
    const { backend, revision, checkReadable } = this.#context;
    if (watcher.ended) return undefined;
    checkReadable(watcher.prefix, watcher.position);
    let bytes = 0;
    for (let records = 0; watcher.position < revision(); records += 1) {
      const isLong = records >= LEAST_RECORDS || bytes >= LEAST_BYTES;
      const waiting = isLong && isTurnOver() ? nextTurn() : watcher.whenReady();
      if (waiting !== undefined) return waiting;
      const next = watcher.position + 1;
      const header = backend.header(next);
      // The initial revision of a store has no event.
      if (header === undefined && next > 1) throw missing(next);
      if (header !== undefined && header.key.startsWith(watcher.prefix)) {
        const batch = readBatch(backend, next);
        bytes += batch.events[0]?.value?.length ?? 0;
        watcher.batch(batch);
        if (watcher.ended) return undefined;
      } else {
        watcher.position = next;
      }
    }
    watcher.live = true;
    if (watcher.position === revision()) watcher.progress(revision());
    return undefined;
  }
}

function readBatch(backend: Backend, revision: number): EventBatch {
  const record = backend.record(revision);
  if (record === undefined) throw missing(revision);
  if (record.previousRevision === 0) return { revision, events: [toEvent(record, undefined)] };
  const before = backend.record(record.previousRevision);
  if (before === undefined) throw missing(record.previousRevision);
  return { revision, events: [toEvent(record, toKeyValue(before, record.previousRevision))] };
}

function missing(revision: number): KVError {
  return new KVError('corrupt', `the record of revision ${revision} is missing from the store`);
}

/** Corrupt history is reported as compacted: the watcher lists the current state again and continues from there. */
function unreadable(revision: number, cause: unknown): KVError {
  if (cause instanceof KVError && cause.code === 'compacted') return cause;
  if (!(cause instanceof KVError) || cause.code !== 'corrupt') {
    return new KVError('unavailable', 'the history of the store could not be read', { cause });
  }
  return new KVError('compacted', `the history of revision ${revision} is damaged: ${cause.message}`, { cause });
}

class Watcher {
  readonly prefix: string;
  readonly #sink: GuardedSink;
  readonly #signal: AbortSignal;
  readonly #forget: (watcher: Watcher) => void;
  readonly #abort = (): void => this.#finish();
  /** Everything up to this revision has been delivered, or precedes the start of the watch. */
  position: number;
  live = false;
  ended = false;

  constructor(request: WatchRequest, sink: WatchSink, signal: AbortSignal, forget: (watcher: Watcher) => void) {
    this.prefix = request.prefix;
    this.position = request.fromRevision;
    this.#sink = new GuardedSink(sink, (error) => this.end(error));
    this.#signal = signal;
    this.#forget = forget;
    signal.addEventListener('abort', this.#abort, { once: true });
  }

  deliver(events: readonly WatchableEvent[], revision: number): void {
    let delivered = 0;
    for (const { revision: of, event } of events) {
      if (of <= this.position || !event.key.startsWith(this.prefix)) continue;
      this.batch({ revision: of, events: [event] });
      if (this.ended) return;
      delivered = of;
    }
    if (delivered < revision && this.position < revision) this.progress(revision);
  }

  batch(batch: EventBatch): void {
    this.position = batch.revision;
    this.#sink.batch(batch);
  }

  progress(revision: number): void {
    this.position = revision;
    this.#sink.progress(revision);
  }

  /** Undefined: the receiver takes more now. */
  whenReady(): Promise<void> | undefined {
    return this.#sink.whenReady();
  }

  end(error: KVError): void {
    if (this.ended) return;
    this.#finish();
    this.#sink.ended(error);
  }

  #finish(): void {
    this.ended = true;
    this.live = false;
    this.#signal.removeEventListener('abort', this.#abort);
    this.#forget(this);
  }
}
