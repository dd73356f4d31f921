import { setImmediate as nextIteration } from 'node:timers/promises';
import { abortable, type Clock } from '@binnacle/apimachinery/clock';
import type { WaitingSteps } from '../framework/index.js';

/** Milliseconds after which a cycle lets other work of the process run. */
const LONGEST_TURN = 5;

/** Runs a computation in turns of a few milliseconds, and awaits what it waits for. Rejects if the signal fires meanwhile. */
export async function inShortTurns<T>(steps: WaitingSteps<T>, clock: Clock, signal?: AbortSignal): Promise<T> {
  let start = clock.monotonic();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    if (step.value !== undefined) {
      await abortable(step.value, signal);
      start = clock.monotonic();
    }
    if (clock.monotonic() - start < LONGEST_TURN) continue;
    await nextIteration();
    signal?.throwIfAborted();
    start = clock.monotonic();
  }
}
