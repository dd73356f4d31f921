/*
 * Deadlines count on a clock that is never set: a jump of the wall clock neither ends requests nor keeps them waiting.
 */

/** On the steady clock, in milliseconds. */
export function deadlineIn(milliseconds: number): number {
  return performance.now() + milliseconds;
}

/** How long until then, in milliseconds; 0 when it is over. */
export function left(deadline: number): number {
  return Math.max(deadline - performance.now(), 0);
}

/** As gRPC takes it: it looks at the wall clock once, when a call begins, and counts on timers from there. */
export function wallDeadline(deadline: number): number {
  return Date.now() + left(deadline);
}
