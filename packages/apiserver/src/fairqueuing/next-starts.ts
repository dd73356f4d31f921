import { ESTIMATED_SECONDS, type FlowQueue } from './flow-queue.js';

/** Bounds of virtual times. */
export interface StartBounds {
  readonly min: number;
  readonly max: number;
}

/** When the oldest waiting requests of queues could start. */
export interface NextStarts {
  readonly starts: StartBounds;
  /** The same, less the work that their queues are expected to have in progress. */
  readonly discounted: StartBounds;
}

/** Undefined if no request waits. Upstream: `findDispatchQueueToBoundLocked` of `queueset`, which computes them at each dispatch. */
export function nextStarts(queues: Iterable<FlowQueue>): NextStarts | undefined {
  const waiting = [...queues].filter(({ oldest }) => oldest !== undefined);
  if (waiting.length === 0) return undefined;
  return {
    starts: boundsOf(waiting.map(({ nextDispatchR }) => nextDispatchR)),
    discounted: boundsOf(
      waiting.map(({ nextDispatchR, seatsInUse }) => nextDispatchR - seatsInUse * ESTIMATED_SECONDS),
    ),
  };
}

function boundsOf(times: readonly number[]): StartBounds {
  return { min: Math.min(...times), max: Math.max(...times) };
}
