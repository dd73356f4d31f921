/**
 * Loaded into a server that is measured, by `node --expose-gc --import`: answers every message from the parent with what
 * only the process itself knows. `collect` takes out the garbage first; `reset` begins the event loop's figures anew.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

const RESOLUTION_MS = 5;
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();

process.on('message', async (request) => {
  if (request === 'collect') await collect();
  const { heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
  const longestLoopMilliseconds = Math.max(0, delays.max / 1e6 - RESOLUTION_MS);
  if (request === 'reset') delays.reset();
  process.send({ heapUsed, heapTotal, external, arrayBuffers, longestLoopMilliseconds });
});
process.channel?.unref();

/** Twice: what has been finalized by one collection is freed by the next, and buffers by a thread beside it. */
async function collect() {
  for (let round = 0; round < 3; round++) {
    globalThis.gc();
    await pause(200);
  }
}
