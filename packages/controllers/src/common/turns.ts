import { isTurnOver, pause } from '@binnacle/apimachinery/turns';
import type { Steps } from '@binnacle/apimachinery/work';

/** Runs a computation in turns, which it shares with the other work of the process. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    if (isTurnOver()) await pause();
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
