import type { Clock } from '@binnacle/apimachinery/clock';

/** The end of a call, on the monotonic clock: a jump of the wall clock neither ends requests nor extends them. */
export class CallDeadline {
  readonly #clock: Clock;
  readonly #at: number;

  constructor(clock: Clock, milliseconds: number) {
    this.#clock = clock;
    this.#at = clock.monotonic() + milliseconds;
  }

  /** The remaining time in milliseconds; 0 after the deadline. */
  get left(): number {
    return Math.max(this.#at - this.#clock.monotonic(), 0);
  }

  /** The deadline for gRPC, which compares it once with the machine's clock, when a call begins, and then uses timers. */
  get wall(): number {
    return Date.now() + this.left;
  }
}
