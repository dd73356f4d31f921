import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '@binnacle/apimachinery/clock';
import type { Steps } from '@binnacle/apimachinery/work';

/** Milliseconds after which a cycle lets other work of the process run. */
const LONGEST_TURN = 5;

/** Runs a computation in turns of a few milliseconds. Rejects if the signal fires between two of them. */
export async function inShortTurns<T>(steps: Steps<T>, clock: Clock, signal?: AbortSignal): Promise<T> {
  let start = clock.monotonic();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    if (clock.monotonic() - start < LONGEST_TURN) continue;
    await nextTurn();
    signal?.throwIfAborted();
    start = clock.monotonic();
  }
}
