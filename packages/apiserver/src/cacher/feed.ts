import { StatusError } from '@binnacle/apimachinery/status';
import type { WatchSink } from '@binnacle/kv';
import type { ObjectStorage } from '../storage/index.js';
import type { FeedGate } from './feed-gate.js';
import { readState, type StateRead } from './read-state.js';

/** The backoff after the first failure; it doubles with each further one. */
const SHORTEST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8000;

/** Receives a state, then all changes after it. After `ended` it receives another state, when the store has one. */
export interface FeedListener extends WatchSink {
  begun(state: StateRead): void;
}

export interface FeedOptions {
  readonly storage: ObjectStorage;
  readonly listener: FeedListener;
  readonly gate: FeedGate | undefined;
  /** Ends the feed for good. */
  readonly signal: AbortSignal;
}

/**
 * The life of a cache's feed. The first use starts it: it reads the state and then watches the store. When it breaks,
 * it begins again, with backoff.
 */
export class Feed {
  readonly #storage: ObjectStorage;
  readonly #listener: FeedListener;
  readonly #gate: FeedGate | undefined;
  readonly #signal: AbortSignal;
  #firstAttempt: Promise<void> | undefined;
  #ready: Promise<void> = Promise.resolve();
  #live = false;
  #failures = 0;
  #refusal: StatusError | undefined;

  constructor({ storage, listener, gate, signal }: FeedOptions) {
    this.#storage = storage;
    this.#listener = listener;
    this.#gate = gate;
    this.#signal = signal;
  }

  /** The listener has a state and receives its changes. */
  get live(): boolean {
    return this.#live;
  }

  /** Whether it has been started. */
  get started(): boolean {
    return this.#firstAttempt !== undefined;
  }

  /** Why it is not live, other than an unavailable store: an object that cannot be converted. */
  get refusal(): StatusError | undefined {
    return this.#live ? undefined : this.#refusal;
  }

  /** Starts on the first call. Settles when the feed is live or ended for good. Never rejects. */
  ready(): Promise<void> {
    void this.firstAttempt();
    return this.#ready;
  }

  /** Starts on the first call. Settles when the first attempt has succeeded or failed. Never rejects. */
  firstAttempt(): Promise<void> {
    if (this.#firstAttempt === undefined) {
      const failed = this.#begin().then(
        () => false,
        (error: unknown) => {
          this.#refusedBy(error);
          return true;
        },
      );
      this.#firstAttempt = failed.then(() => undefined);
      this.#ready = failed.then((again) => (again ? this.#restart() : undefined));
    }
    return this.#firstAttempt;
  }

  async #begin(): Promise<void> {
    const state = await readState(this.#storage, this.#signal);
    if (state === undefined) return;
    const listener = this.#listener;
    listener.begun(state);
    const sink: WatchSink = {
      batch: (batch) => {
        this.#failures = 0;
        listener.batch(batch);
      },
      progress: (revision) => {
        this.#failures = 0;
        listener.progress(revision);
      },
      ended: (error) => this.#lost(error),
    };
    const request = { prefix: this.#storage.prefix, fromRevision: state.revision };
    this.#storage.watch(request, this.#gate?.guard(sink) ?? sink, this.#signal);
    this.#live = true;
  }

  #lost(error: Error): void {
    if (this.#signal.aborted) return;
    this.#live = false;
    this.#refusedBy(error);
    this.#listener.ended(error);
    this.#ready = this.#restart();
  }

  async #restart(): Promise<void> {
    while (!this.#signal.aborted) {
      // All caches lose a store at the same moment; jitter spreads their restarts.
      const pause = Math.min(SHORTEST_PAUSE_MS * 2 ** this.#failures, LONGEST_PAUSE_MS);
      this.#failures++;
      await new Promise((resolve) => setTimeout(resolve, pause * (0.75 + Math.random() / 2)));
      try {
        await this.#begin();
        return;
      } catch (error) {
        // The store is still unavailable: the next attempt follows, and readers get 429.
        this.#refusedBy(error);
      }
    }
  }

  #refusedBy(error: unknown): void {
    this.#refusal = error instanceof StatusError ? error : undefined;
  }
}
