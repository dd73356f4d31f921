import type { Clock, Timer } from '@binnacle/apimachinery/clock';

/** Upstream: `progressRequestPeriod` of the cacher. */
const INTERVAL_MS = 100;

export interface ProgressRequestsOptions {
  /** Asks the store for the position of the feed; false = the store cannot say. */
  readonly ask: () => boolean;
  /** Whether any reader still waits. */
  readonly isWanted: () => boolean;
  /** Called when the store supported progress before and no longer does. */
  readonly refused: () => void;
  readonly clock: Clock;
}

/**
 * Requests progress from a remote store while any reader waits: at once for the first reader, and after the pending
 * answer for readers that arrive meanwhile. It asks again every 100 ms, in case an answer is lost or too old.
 */
export class ProgressRequests {
  readonly #options: ProgressRequestsOptions;
  #timer: Timer | undefined;
  #underWay = false;
  #again = false;

  constructor(options: ProgressRequestsOptions) {
    this.#options = options;
  }

  /** A reader is about to wait. Returns false when the store cannot report progress. */
  begin(): boolean {
    if (this.#underWay) {
      // The pending answer may carry a revision that is too old for this reader.
      this.#again = true;
      return true;
    }
    return this.#ask();
  }

  /** The store has answered. */
  answered(): void {
    this.#underWay = false;
    if (!this.#again || !this.#options.isWanted()) return;
    if (!this.#ask()) this.#options.refused();
  }

  stop(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    this.#underWay = false;
  }

  #ask(): boolean {
    this.#timer?.[Symbol.dispose]();
    this.#again = false;
    this.#underWay = true;
    if (!this.#options.ask()) {
      this.stop();
      return false;
    }
    this.#timer = this.#options.clock.setTimer(() => this.#tick(), INTERVAL_MS);
    return true;
  }

  #tick(): void {
    if (!this.#options.isWanted()) this.stop();
    else if (!this.#ask()) this.#options.refused();
  }
}
