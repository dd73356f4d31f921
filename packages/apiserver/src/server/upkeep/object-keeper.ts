import type { Clock, Timer } from '@binnacle/apimachinery/clock';

/** Upstream: `EndpointReconcilerInterval`, the period of its `kubernetesservice` controller too. */
const INTERVAL_MS = 10_000;

export interface ObjectKeeperOptions {
  readonly clock: Clock;
  /** Whether the start has stored all objects. */
  readonly isComplete: boolean;
  /** Stores what is missing of the objects of a start. Resolves to false when some were refused. */
  readonly bootstrap: () => Promise<boolean>;
  /** Restores what users must not change, once the start is complete. Resolves to false when something was refused. */
  readonly restore: () => Promise<boolean>;
  /** Calls `onChange` after each change that `restore` may undo, and `onEnd` once it no longer can. */
  readonly watch: (onChange: () => void, onEnd: () => void, signal: AbortSignal) => Promise<void>;
  readonly report: (error: unknown) => void;
}

/**
 * Completes the start, then restores what users change within ten seconds. It tries again every ten seconds until it
 * succeeds, one run at a time. While nothing changes it sets no timer, so an idle server sleeps.
 */
export class ObjectKeeper implements Disposable {
  readonly #options: ObjectKeeperOptions;
  readonly #stopped = new AbortController();
  #isComplete: boolean;
  #isWatching = false;
  #isRunning = false;
  /** Something has changed since the last run began. */
  #isDue = false;
  #timer: Timer | undefined;

  constructor(options: ObjectKeeperOptions) {
    this.#options = options;
    this.#isComplete = options.isComplete;
    this.#wake();
  }

  [Symbol.dispose](): void {
    this.#stopped.abort();
    this.#timer?.[Symbol.dispose]();
  }

  #wake(): void {
    this.#isDue = true;
    if (this.#isRunning || this.#stopped.signal.aborted) return;
    this.#timer ??= this.#options.clock.setTimer(() => void this.#run(), INTERVAL_MS).unref();
  }

  async #run(): Promise<void> {
    this.#timer = undefined;
    this.#isRunning = true;
    this.#isDue = false;
    const isSettled = await this.#attempt().catch((error: unknown) => {
      this.#options.report(error);
      return false;
    });
    this.#isRunning = false;
    if (this.#isDue || !isSettled) this.#wake();
  }

  async #attempt(): Promise<boolean> {
    if (!this.#isComplete) {
      this.#isComplete = await this.#options.bootstrap();
      return false;
    }
    // The watch begins first, so that no change is missed.
    if (!this.#isWatching) await this.#watch();
    return this.#options.restore();
  }

  async #watch(): Promise<void> {
    const end = (): void => {
      this.#isWatching = false;
      this.#wake();
    };
    this.#isWatching = true;
    try {
      await this.#options.watch(() => this.#wake(), end, this.#stopped.signal);
    } catch (error) {
      this.#isWatching = false;
      throw error;
    }
  }
}
