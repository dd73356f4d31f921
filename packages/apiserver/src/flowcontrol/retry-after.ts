/** The longest pause, in seconds. */
const LONGEST = 32;
/** The pause doubles with this many refusals for each of its seconds. */
const MANY = 3;

interface Second {
  readonly at: number;
  count: number;
}

/**
 * How long the clients of a priority level should wait after a refusal, in seconds: the pause doubles while many requests
 * are refused, and shrinks by a second when few are. Upstream: `DroppedRequestsTracker`.
 */
export class RetryAfter {
  /** The seconds with refusals, oldest first, as far as they matter. */
  readonly #history: Second[] = [];
  #seconds = 1;
  #raisedAt = Number.NEGATIVE_INFINITY;

  get seconds(): number {
    return this.#seconds;
  }

  /** Counts a refusal. `now`: milliseconds, never going back. */
  refused(now: number): void {
    const at = Math.floor(now / 1000);
    const latest = this.#history.at(-1);
    if (latest?.at === at) {
      latest.count++;
      return;
    }
    this.#adjust(at);
    this.#history.push({ at, count: 1 });
  }

  /** Adjusts the pause to the refusals of the last `seconds`, without the second that begins now. */
  #adjust(at: number): void {
    const seconds = this.#seconds;
    while ((this.#history[0]?.at ?? at) < at - LONGEST) this.#history.shift();
    let refusals = 0;
    for (const second of this.#history) if (second.at >= at - seconds) refusals += second.count;
    if (at - this.#raisedAt >= seconds && refusals >= MANY * seconds) {
      this.#seconds = Math.min(2 * seconds, LONGEST);
      this.#raisedAt = at;
    } else if (refusals < seconds && seconds > 1) {
      this.#seconds--;
    }
  }
}
