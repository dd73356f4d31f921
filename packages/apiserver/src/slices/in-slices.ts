import { isTurnOver, Pauses } from '@binnacle/apimachinery/turns';
import type { Steps } from '@binnacle/apimachinery/work';

/**
 * Runs a computation to its end and yields to other work in between. Throws its error. One that ends within the turn
 * returns without a promise. An aborted signal ends it with the signal's reason.
 */
export function inSlices<T>(steps: Steps<T>, signal?: AbortSignal): T | Promise<T> {
  signal?.throwIfAborted();
  while (!isTurnOver()) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
  return inLaterTurns(steps, signal);
}

/** A computation whose result many requests share. It runs on first use, and continues when a request that waits for it ends. */
export function onceInSlices<T>(begin: () => Steps<T>): () => T | Promise<T> {
  let known: { result: T | Promise<T> } | undefined;
  return () => {
    if (known !== undefined) return known.result;
    const made = { result: inSlices(begin()) };
    known = made;
    if (made.result instanceof Promise)
      void made.result.then(
        (result) => (made.result = result),
        () => (known = undefined),
      );
    return made.result;
  };
}

async function inLaterTurns<T>(steps: Steps<T>, signal: AbortSignal | undefined): Promise<T> {
  const pauses = new Pauses();
  for (;;) {
    if (isTurnOver()) {
      await pauses.next();
      signal?.throwIfAborted();
    }
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
