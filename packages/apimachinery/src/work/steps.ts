/**
 * A pure computation that can take long, and so yields now and then: whoever runs it may let others run in between.
 * It changes nothing but its own result, so that a caller may also give it up.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs a computation to its end at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
