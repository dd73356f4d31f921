import { KVError } from './errors.js';
import type { EventBatch, WatchSink } from './kv.js';

/**
 * Wraps a sink that may throw. It then loses only its own watch, which `fail` ends; the store and other watches are not
 * affected.
 */
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

  /** A sink that cannot say when it is ready takes everything at once. */
  whenReady(): Promise<void> | undefined {
    return this.#sink.whenReady?.();
  }

  ended(error: Error): void {
    try {
      this.#sink.ended(error);
    } catch {
      // A sink that throws in `ended` cannot be told about it.
    }
  }
}

function failureOf(cause: unknown): KVError {
  return new KVError('unavailable', 'the receiver of a watch failed', { cause });
}
