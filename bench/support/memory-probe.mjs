/**
 * Loaded into a measured server by `node --expose-gc --import`. Answers every message of the parent with figures of the process. `collect` first runs the
 * garbage collector; `reset` restarts the event loop's figures.
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

/** Collects twice: the second run frees what the first finalizes. Another thread frees buffers. */
async function collect() {
  for (let round = 0; round < 3; round++) {
    globalThis.gc();
    await pause(200);
  }
}
