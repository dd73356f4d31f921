import { assemble } from './assemble.js';
import { openStore } from './open-store.js';
import type { RunningBinnacle, StartOptions } from './options.js';
import type { Parts } from './parts.js';

/** What a server is put together from. Each part is loaded when it is needed. */
export const usualParts: Parts = {
  openStore,
  startServer: async (options) => {
    const { startServer } = await import('@binnacle/apiserver/server');
    return startServer(options);
  },
  runLoops: async (options, signal) => {
    const { runLoops } = await import('@binnacle/controllers/manager');
    return runLoops(options, signal);
  },
};

/**
 * Starts a server and resolves when it is ready for requests. Rejects with a {@link StartError}; then nothing stays open,
 * and no file is half-written.
 *
 * `await using server = await start({ inMemory: true })` gives a fresh server that is gone at the end of the block.
 */
export async function start(options: StartOptions = {}): Promise<RunningBinnacle> {
  return assemble(options, usualParts);
}
