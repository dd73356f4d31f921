/** Upstream: `progressRequestPeriod` of the cacher. */
const INTERVAL_MS = 100;

export interface ProgressRequestsOptions {
  /** Asks the store how far the feed is; false = it cannot say. */
  readonly ask: () => boolean;
  /** Whether somebody still waits for the answer. */
  readonly isWanted: () => boolean;
  /** The store has said before that it can, and can no more. */
  readonly refused: () => void;
}

/**
 * Asks a store elsewhere for progress for as long as somebody waits: at once for the first, for those that come while an
 * answer is under way when it has come, and every 100 ms in case answers are lost or too old.
 */
export class ProgressRequests {
  readonly #options: ProgressRequestsOptions;
  #timer: NodeJS.Timeout | undefined;
  #underWay = false;
  #again = false;

  constructor(options: ProgressRequestsOptions) {
    this.#options = options;
  }

  /** Somebody is going to wait. False when the store cannot say how far the feed is. */
  begin(): boolean {
    if (this.#underWay) {
      // What has been asked before may be answered with a revision that is too old.
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
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#underWay = false;
  }

  #ask(): boolean {
    clearTimeout(this.#timer);
    this.#again = false;
    this.#underWay = true;
    if (!this.#options.ask()) {
      this.stop();
      return false;
    }
    this.#timer = setTimeout(() => this.#tick(), INTERVAL_MS);
    return true;
  }

  #tick(): void {
    if (!this.#options.isWanted()) this.stop();
    else if (!this.#ask()) this.#options.refused();
  }
}
