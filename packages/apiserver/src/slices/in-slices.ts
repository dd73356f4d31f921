import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Steps } from '@binnacle/apimachinery/work';

/** So long one request holds the loop while others wait, in milliseconds. */
const SLICE_MS = 10;

/** Runs a computation to its end, and lets others run in between. Throws what it throws. */
export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  let begun = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - begun < SLICE_MS) continue;
    await nextTurn();
    begun = performance.now();
  }
}

/** Measures how long a request holds the loop from one stage of its work to the next. */
export class Slices {
  #begun = performance.now();

  /** Between two stages: lets others run when the ones before it have taken long. */
  pause(): Promise<void> | undefined {
    return performance.now() - this.#begun < SLICE_MS ? undefined : this.#nextTurn();
  }

  async #nextTurn(): Promise<void> {
    await nextTurn();
    this.#begun = performance.now();
  }
}
