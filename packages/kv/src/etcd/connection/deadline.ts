/* Deadlines use a monotonic clock: a jump of the wall clock neither ends requests nor extends them. */

/** On the monotonic clock, in milliseconds. */
export function deadlineIn(milliseconds: number): number {
  return performance.now() + milliseconds;
}

/** The remaining time in milliseconds; 0 after the deadline. */
export function left(deadline: number): number {
  return Math.max(deadline - performance.now(), 0);
}

/** The deadline for gRPC, which reads the wall clock once, when a call begins, and then uses timers. */
export function wallDeadline(deadline: number): number {
  return Date.now() + left(deadline);
}
