import type { Clock } from '@binnacle/apimachinery/clock';
import type { Steps } from '@binnacle/apimachinery/work';
import { inShortTurns } from './turns.js';

/** Changes that must not happen during a cycle wait for its end, in order. */
export class Postponed {
  readonly #clock: Clock;
  #isHeld = false;
  readonly #waiting: (() => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Makes the change now, or when {@link hold} has ended. */
  run(change: () => void): void {
    if (this.#isHeld) this.#waiting.push(change);
    else change();
  }

  /** Postpones all changes until the work has ended. Makes them in turns, as a long cycle may have many. */
  async hold(work: () => Promise<void>): Promise<void> {
    this.#isHeld = true;
    try {
      await work();
    } finally {
      // More may come during the last turn.
      while (this.#waiting.length > 0) await inShortTurns(makeAll(this.#waiting.splice(0)), this.#clock);
      this.#isHeld = false;
    }
  }
}

function* makeAll(changes: readonly (() => void)[]): Steps<void> {
  for (const change of changes) {
    change();
    yield;
  }
}
