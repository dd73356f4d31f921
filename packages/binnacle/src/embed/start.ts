import { systemClock, systemRandom } from '@binnacle/apimachinery/clock';
import { assemble } from './assemble.js';
import { openStore } from './open-store.js';
import type { RunningBinnacle, StartOptions } from './options/options.js';
import type { Parts } from './parts.js';
import { usageError } from './start-error.js';

/** The parts of every server. Each loads its code on first use. */
export const defaultParts: Parts = {
  clock: systemClock,
  random: systemRandom,
  openStore,
  startServer: async (options) => {
    const { startServer } = await import('@binnacle/apiserver');
    return startServer(options);
  },
  runLoops: async (options, signal) => {
    const { runLoops } = await import('@binnacle/controllers');
    return runLoops(options, signal);
  },
  runScheduler: async (options, signal) => {
    const { runScheduler } = await import('@binnacle/scheduler/loop');
    return runScheduler(options, signal);
  },
  runNodes: async (options, signal) => {
    const { runNodes } = await import('@binnacle/nodes');
    return runNodes(options, signal);
  },
};

/**
 * Starts a server and resolves when it is ready for requests. It rejects with a {@link StartError}; then nothing
 * remains open and no file is half-written.
 *
 * `await using server = await start({ inMemory: true })` starts a server that ends with the block.
 */
export async function start(options: StartOptions = {}): Promise<RunningBinnacle> {
  const { workers = 1 } = options;
  if (workers > 1)
    throw usageError(`workers ${workers}: only binnacle serve starts workers; a program has one process`);
  return assemble(options, defaultParts);
}
