/**
 * A server under test in its own process. It sends `{ silence: ms }` to the parent for each turn of the loop that was
 * too long, and answers `{ measure: true }` with `{ heap }`, the bytes in use after a collection.
 */
import { start } from 'binnacle';
import { SilenceMeter } from '../hostile/silence-meter.mjs';

const { dataDirectory, silenceMs } = JSON.parse(process.argv[2]);
const server = await start({
  ...(dataDirectory === undefined ? { inMemory: true } : { dataDirectory }),
  controllers: '',
  featureGates: 'CBORServingAndStorage=true',
  historyRetentionMs: 2000,
});

const meter = new SilenceMeter((held) => {
  if (held > silenceMs) process.send({ silence: held, until: Date.now() });
});

process.on('uncaughtException', (error) => process.send({ uncaught: String(error.stack) }));
process.on('message', () => {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  process.send({ heap: heapUsed + external });
  meter.reset();
});
process.on('disconnect', () => process.exit(1));
process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)));
process.send({ ready: server.clientConfig });
