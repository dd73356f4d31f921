import type { Steps } from '@binnacle/apimachinery/work';
import { isTurnOver, nextTurn } from './turn.js';

/** Runs a computation to its end, and lets others run in between. Throws what it throws. */
export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    if (isTurnOver()) await nextTurn();
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Between two stages of a request's work, and before the first: lets others run when the stages before, of this request and of
 * others, have taken long.
 */
export function pause(): Promise<void> | undefined {
  return isTurnOver() ? nextTurn() : undefined;
}
