import type { MaybeSteps } from './in-steps.js';

/** A computation that may also yield a promise, which its runner awaits before the next step. The promise does not reject. */
export type WaitingSteps<T> = Generator<undefined | Promise<void>, T, undefined>;

/** What a plugin computes at once or in steps, some of which may wait. */
export type MaybeWaitingSteps<T> = MaybeSteps<T> | WaitingSteps<T>;

/** Waits for the promise. Throws its error. */
export function* waitFor<T>(promise: Promise<T>): WaitingSteps<T> {
  const settled: { outcome?: { readonly value: T } | { readonly error: unknown } } = {};
  yield promise.then(
    (value) => void (settled.outcome = { value }),
    (error: unknown) => void (settled.outcome = { error }),
  );
  const { outcome } = settled;
  if (outcome === undefined) throw new Error('the runner did not wait for the promise');
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}

export function* inWaitingSteps<T extends object>(computed: MaybeWaitingSteps<T>): WaitingSteps<T> {
  return isComputation(computed) ? yield* computed : computed;
}

function isComputation<T extends object>(computed: MaybeWaitingSteps<T>): computed is WaitingSteps<T> {
  return Symbol.iterator in computed;
}
