import { type EventBatch, GuardedSink, type KVError, type WatchRequest, type WatchSink } from '../interface/index.js';

export interface WatchesContext {
  /** Asks the server for a watch, or to end one. */
  readonly start: (id: number, request: WatchRequest) => void;
  readonly cancel: (id: number) => void;
}

/**
 * All watches of a client. The server feeds each of them until it has caught up. Those that need no previous values then
 * share the feed of commits.
 */
export class Watches {
  readonly #context: WatchesContext;
  /** Fed by the server, by id. */
  readonly #own = new Map<number, Watch>();
  readonly #joined = new Set<Watch>();

  constructor(context: WatchesContext) {
    this.#context = context;
  }

  add(id: number, request: WatchRequest, sink: WatchSink, signal: AbortSignal): void {
    if (signal.aborted) return;
    const watch = new Watch(id, request.prefix, sink, signal, (left) => this.#leave(left));
    this.#own.set(id, watch);
    this.#context.start(id, request);
  }

  batch(id: number, batch: EventBatch): void {
    this.#own.get(id)?.batch(batch);
  }

  progress(id: number, revision: number): void {
    this.#own.get(id)?.progress(revision);
  }

  ended(id: number, error: Error): void {
    const watch = this.#own.get(id);
    this.#own.delete(id);
    watch?.end(error);
  }

  joined(id: number): void {
    const watch = this.#own.get(id);
    if (watch === undefined) return;
    this.#own.delete(id);
    this.#joined.add(watch);
  }

  /** Delivers to each joined watch what is under its prefix, and then the progress. */
  commit(batches: readonly EventBatch[]): void {
    const last = batches.at(-1);
    if (last === undefined) return;
    for (const watch of this.#joined) watch.commit(batches, last.revision);
  }

  endAll(error: Error): void {
    const all = [...this.#own.values(), ...this.#joined];
    this.#own.clear();
    this.#joined.clear();
    for (const watch of all) watch.end(error);
  }

  /** Ends the watches that share the feed. */
  endJoined(error: Error): void {
    const all = [...this.#joined];
    this.#joined.clear();
    for (const watch of all) watch.end(error);
  }

  #leave(watch: Watch): void {
    this.#joined.delete(watch);
    if (this.#own.delete(watch.id)) this.#context.cancel(watch.id);
  }
}

class Watch {
  readonly id: number;
  readonly #prefix: string;
  readonly #sink: GuardedSink;
  readonly #signal: AbortSignal;
  readonly #leave: (watch: Watch) => void;
  readonly #abort = (): void => this.#finish();
  #over = false;

  constructor(id: number, prefix: string, sink: WatchSink, signal: AbortSignal, leave: (watch: Watch) => void) {
    this.id = id;
    this.#prefix = prefix;
    this.#sink = new GuardedSink(sink, (error: KVError) => this.end(error));
    this.#signal = signal;
    this.#leave = leave;
    signal.addEventListener('abort', this.#abort, { once: true });
  }

  batch(batch: EventBatch): void {
    if (!this.#over) this.#sink.batch(batch);
  }

  progress(revision: number): void {
    if (!this.#over) this.#sink.progress(revision);
  }

  commit(batches: readonly EventBatch[], revision: number): void {
    let delivered = 0;
    for (const batch of batches) {
      const events = batch.events.filter(({ key }) => key.startsWith(this.#prefix));
      if (events.length === 0) continue;
      this.batch(events.length === batch.events.length ? batch : { revision: batch.revision, events });
      delivered = batch.revision;
    }
    if (delivered < revision) this.progress(revision);
  }

  end(error: Error): void {
    if (this.#over) return;
    this.#finish();
    this.#sink.ended(error);
  }

  #finish(): void {
    this.#over = true;
    this.#signal.removeEventListener('abort', this.#abort);
    this.#leave(this);
  }
}
