/**
 * A clock that nobody sets: the wall's time when it is made, and from then on the time that has passed. Lifetimes count on it,
 * so that a jump of the wall clock ends none of them early. In milliseconds since the epoch.
 */
export function steadyClock(
  wall: () => number = Date.now,
  elapsed: () => number = () => performance.now(),
): () => number {
  const start = wall() - elapsed();
  return () => start + elapsed();
}
