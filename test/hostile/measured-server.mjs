import { start } from 'binnacle';
import { SilenceMeter } from './silence-meter.mjs';

/*
 * A server in a process of its own, for tests to measure: run by `fork`. It tells its URL and token, answers `reset` by
 * beginning to measure, and `report` with the longest silence of its event loop and how far its memory rose meanwhile.
 */

const INTERVAL_MS = 2;

let memory = 0;
let before = 0;
const meter = new SilenceMeter();
setInterval(() => {
  memory = Math.max(memory, process.memoryUsage.rss());
}, INTERVAL_MS);

const server = await start({ inMemory: true, controllers: '', featureGates: 'CBORServingAndStorage=true' });

process.on('message', (message) => {
  if (message === 'stop') {
    process.disconnect();
    void server.stop().then(() => process.exit());
    return;
  }
  if (message === 'reset') {
    globalThis.gc?.();
    before = process.memoryUsage.rss();
    memory = before;
    meter.reset();
  }
  process.send({ silence: meter.longest, memory: memory - before });
});
process.send({ url: server.url, clientConfig: server.clientConfig });
