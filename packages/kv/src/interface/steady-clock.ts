/**
 * A clock that cannot be set: it starts at wall time and advances with the monotonic clock. TTLs use it, so that a jump
 * of the wall clock does not end them early. In milliseconds since the epoch.
 */
export function steadyClock(
  wall: () => number = Date.now,
  elapsed: () => number = () => performance.now(),
): () => number {
  const start = wall() - elapsed();
  return () => start + elapsed();
}
