/**
 * A pure, possibly long computation that yields regularly, so that its runner can let other work run. It changes only
 * its own result, so it can also be abandoned.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs a computation to its end without a pause. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** A value that may be known at once, so that code in a hurry need not wait for it. */
export type Awaitable<T> = T | Promise<T>;
