import { type FlowQueue, type Ticket, workOf } from './flow-queue.js';

/** Queues before the last dispatched one come after all others. */
const WRAPPED = 2 ** 32;

/** The index of the queue of a hand with the least waiting work. `turn`: a counter, by which ties go to each in turn. */
export function leastLoaded(
  hand: readonly number[],
  turn: number,
  queues: ReadonlyMap<number, Pick<FlowQueue, 'waitingWork'>>,
): number {
  let least = Number.POSITIVE_INFINITY;
  let index = 0;
  for (let step = 0; step < hand.length; step++) {
    const candidate = hand[(turn + step) % hand.length] ?? 0;
    const work = queues.get(candidate)?.waitingWork ?? 0;
    if (work >= least) continue;
    least = work;
    index = candidate;
  }
  return index;
}

/**
 * Of the queues whose oldest request is admissible, the one in which it would be the first to finish in virtual time. Ties
 * go to the first one after the queue with `lastIndex`, which was dispatched last.
 */
export function firstToFinish(
  queues: Iterable<FlowQueue>,
  lastIndex: number,
  isAdmissible: (queue: FlowQueue, oldest: Ticket) => boolean,
): FlowQueue | undefined {
  let first: FlowQueue | undefined;
  let firstFinish = Number.POSITIVE_INFINITY;
  let firstPlace = 0;
  for (const queue of queues) {
    const { oldest } = queue;
    if (oldest === undefined || !isAdmissible(queue, oldest)) continue;
    const finish = queue.nextDispatchR + workOf(oldest);
    const place = queue.index > lastIndex ? queue.index : queue.index + WRAPPED;
    if (finish > firstFinish || (finish === firstFinish && place > firstPlace)) continue;
    first = queue;
    firstFinish = finish;
    firstPlace = place;
  }
  return first;
}
