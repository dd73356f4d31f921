/**
 * A clock that cannot be set: it starts at wall time and advances with the monotonic clock. Lifetimes count on it,
 * so that a jump of the wall clock ends none of them early. In milliseconds since the epoch.
 */
export function steadyClock(
  wall: () => number = Date.now,
  elapsed: () => number = () => performance.now(),
): () => number {
  const start = wall() - elapsed();
  return () => start + elapsed();
}
