import { Backoff, type Clock, type Random, sleep } from '@binnacle/apimachinery/clock';
import { StatusError } from '@binnacle/apimachinery/status';
import type { WatchSink } from '@binnacle/kv';
import type { ObjectStorage } from '../storage/index.js';
import type { FeedGate } from './feed-gate.js';
import { readState, type StateRead } from './read-state.js';

/** The pauses after failures. All caches lose a store at the same moment; jitter spreads their restarts. */
const SHORTEST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 6400;
const JITTER = 0.5;

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
  readonly clock: Clock;
  readonly random: Random;
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
  readonly #clock: Clock;
  readonly #backoff: Backoff;
  #firstAttempt: Promise<void> | undefined;
  #ready: Promise<void> = Promise.resolve();
  #live = false;
  #refusal: StatusError | undefined;

  constructor({ storage, listener, gate, signal, clock, random }: FeedOptions) {
    this.#storage = storage;
    this.#listener = listener;
    this.#gate = gate;
    this.#signal = signal;
    this.#clock = clock;
    const jitter = { share: JITTER, random };
    this.#backoff = new Backoff({ initial: SHORTEST_PAUSE_MS, maximum: LONGEST_PAUSE_MS, jitter });
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
    if (this.#signal.aborted) {
      state.objects.close();
      return;
    }
    const listener = this.#listener;
    listener.begun(state);
    const sink: WatchSink = {
      batch: (batch) => {
        this.#backoff.reset();
        listener.batch(batch);
      },
      progress: (revision) => {
        this.#backoff.reset();
        listener.progress(revision);
      },
      ended: (error) => this.#lost(error),
    };
    // The cache has the previous values.
    const request = { prefix: this.#storage.prefix, fromRevision: state.revision, withoutPrevious: true } as const;
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
      try {
        await sleep(this.#clock, this.#backoff.next(), this.#signal);
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
