import type { Clock, Timer } from '@binnacle/apimachinery/clock';

/**
 * Calls `ring` at a moment that seldom changes. It keeps its timer while the moment stays the same, because a wait that
 * ends early would otherwise cost a new timer each time.
 */
export class Alarm implements Disposable {
  readonly #clock: Clock;
  readonly #ring: () => void;
  #timer: Timer | undefined;
  /** On the monotonic clock. */
  #moment: number | undefined;

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Rings once at this moment of the monotonic clock, and no longer at the one before. A past moment rings soon. */
  set(moment: number): void {
    if (moment === this.#moment) return;
    this[Symbol.dispose]();
    this.#moment = moment;
    this.#timer = this.#clock.setTimer(
      () => {
        this.#moment = undefined;
        this.#ring();
      },
      Math.max(0, moment - this.#clock.monotonic()),
    );
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    this.#moment = undefined;
  }
}
