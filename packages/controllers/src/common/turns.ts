import type { Steps } from '@binnacle/apimachinery/work';

/** Runs a computation with pauses for other work of the process. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
