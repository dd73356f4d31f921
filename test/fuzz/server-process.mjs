/**
 * A server under test in a process of its own, which also watches itself: `{ silence: ms }` goes to the parent for each turn of the loop
 * that was too long, and `{ measure: true }` is answered with `{ heap }`, the bytes in use after a collection.
 *
 * A turn counts with the smaller of its wall time and the CPU time that this process spent in it, so that a busy machine is no finding.
 */
import { start } from 'binnacle';

const { dataDirectory, silenceMs } = JSON.parse(process.argv[2]);
const server = await start({
  ...(dataDirectory === undefined ? { inMemory: true } : { dataDirectory }),
  controllers: '',
  featureGates: 'CBORServingAndStorage=true',
  historyRetentionMs: 2000,
});

const TICK_MS = 5;
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const readClocks = () => ({ wall: performance.now(), cpu: cpuMs() });
let last = readClocks();
setInterval(() => {
  const now = readClocks();
  const held = Math.min(now.wall - last.wall - TICK_MS, now.cpu - last.cpu);
  last = now;
  if (held > silenceMs) process.send({ silence: held, until: Date.now() });
}, TICK_MS);

process.on('uncaughtException', (error) => process.send({ uncaught: String(error.stack) }));
process.on('message', () => {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  process.send({ heap: heapUsed + external });
  last = readClocks();
});
process.on('disconnect', () => process.exit(1));
process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)));
process.send({ ready: server.clientConfig });
