import { describe } from 'node:test';

/** Whether reads use the watch cache; an option of {@link testResource}. */
export interface WatchCacheMode {
  readonly watchCache: boolean;
}

/**
 * Runs the same tests twice: with the watch cache, the default, and with `--watch-cache=false`. `mode` tells which.
 */
export function describeWatchCacheModes(name: string, define: (mode: WatchCacheMode) => void): void {
  describe(name, () => define({ watchCache: true }));
  describe(`${name}, without the watch cache`, () => define({ watchCache: false }));
}
