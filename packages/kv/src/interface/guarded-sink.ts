import { KVError } from './errors.js';
import type { EventBatch, WatchSink } from './kv.js';

/** A sink that may throw. It then loses its own watch, which `fail` ends, and disturbs neither the store nor other watches. */
export class GuardedSink implements WatchSink {
  readonly #sink: WatchSink;
  readonly #fail: (error: KVError) => void;

  constructor(sink: WatchSink, fail: (error: KVError) => void) {
    this.#sink = sink;
    this.#fail = fail;
  }

  batch(batch: EventBatch): void {
    try {
      this.#sink.batch(batch);
    } catch (cause) {
      this.#fail(failureOf(cause));
    }
  }

  progress(revision: number): void {
    try {
      this.#sink.progress(revision);
    } catch (cause) {
      this.#fail(failureOf(cause));
    }
  }

  ended(error: Error): void {
    try {
      this.#sink.ended(error);
    } catch {
      // Who throws while it is told that this is the end has nobody left to tell.
    }
  }
}

function failureOf(cause: unknown): KVError {
  return new KVError('unavailable', 'the receiver of a watch failed', { cause });
}
