import type { Cacher } from '../../cacher/index.js';

/** A smaller cache is built fast enough on first use. */
const LARGE = 5000;

export interface WarmedStorage {
  readonly storage: { count(signal: AbortSignal): Promise<number> };
  readonly cacher: Pick<Cacher, 'wanted' | 'firstAttempt'>;
}

/**
 * Builds the caches of large collections before a client needs them, one at a time, the largest first. Each build
 * runs in slices between requests. Rejects when the store fails.
 */
export async function warmCaches(storages: Iterable<WarmedStorage>, signal: AbortSignal): Promise<void> {
  const large: { readonly count: number; readonly cacher: WarmedStorage['cacher'] }[] = [];
  for (const { storage, cacher } of storages) {
    if (signal.aborted) return;
    const count = await storage.count(signal);
    if (count >= LARGE) large.push({ count, cacher });
  }
  large.sort((a, b) => b.count - a.count);
  for (const { cacher } of large) {
    if (signal.aborted) return;
    if (!cacher.wanted) await cacher.firstAttempt();
  }
}
