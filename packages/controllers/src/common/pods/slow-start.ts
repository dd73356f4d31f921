/** The outcome of {@link slowStart}. */
export interface Batches {
  readonly succeeded: number;
  /** The first failure of the last batch. */
  readonly error: unknown;
}

/**
 * Calls `act` up to `count` times, in batches of 1, 2, 4 and so on. A failure ends it after its batch: so a quota that refuses all pods is asked once,
 * not a thousand times. Upstream: `slowStartBatch`.
 */
export async function slowStart(count: number, act: (index: number) => Promise<unknown>): Promise<Batches> {
  let done = 0;
  let succeeded = 0;
  for (let size = Math.min(count, 1); size > 0; size = Math.min(2 * size, count - done)) {
    const first = done;
    const results = await Promise.allSettled(Array.from({ length: size }, (_, index) => act(first + index)));
    const failed = results.filter((result) => result.status === 'rejected');
    done += size;
    succeeded += size - failed.length;
    if (failed.length > 0) return { succeeded, error: failed[0]?.reason };
  }
  return { succeeded, error: undefined };
}
