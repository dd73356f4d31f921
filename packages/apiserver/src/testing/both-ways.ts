import { describe } from 'node:test';

/** Whether clients are answered out of the watch cache, as {@link testResource} takes it. */
export interface WatchCacheMode {
  readonly watchCache: boolean;
}

/** The same tests twice: as the server is by default, and with `--watch-cache=false`. What differs, `mode` tells. */
export function describeBothWays(name: string, define: (mode: WatchCacheMode) => void): void {
  describe(name, () => define({ watchCache: true }));
  describe(`${name}, without the watch cache`, () => define({ watchCache: false }));
}
