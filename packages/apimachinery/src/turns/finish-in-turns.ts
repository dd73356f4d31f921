import type { Steps } from '../work/index.js';
import { isTurnOver, pause } from './turn.js';

/** Runs a computation to its end as long work. Throws its error. */
export async function finishInTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    if (isTurnOver()) await pause();
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
