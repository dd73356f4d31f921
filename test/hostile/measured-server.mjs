import { start } from 'binnacle';

/*
 * A server in a process of its own, for tests to measure: run by `fork`. It tells its URL and token, answers `reset` by
 * beginning to measure, and `report` with the longest silence of its event loop and how far its memory rose meanwhile.
 */

const INTERVAL_MS = 2;

let silence = 0;
let memory = 0;
let before = 0;

// A silence counts by the lesser of the time that passed and the time that this process worked: others use the machine, too.
let lastTime = performance.now();
let lastWork = process.cpuUsage();
setInterval(() => {
  const now = performance.now();
  const { user, system } = process.cpuUsage(lastWork);
  silence = Math.max(silence, Math.min(now - lastTime, (user + system) / 1000));
  memory = Math.max(memory, process.memoryUsage.rss());
  lastTime = now;
  lastWork = process.cpuUsage();
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
    silence = 0;
    memory = before;
    lastTime = performance.now();
    lastWork = process.cpuUsage();
  }
  process.send({ silence, memory: memory - before });
});
process.send({ url: server.url, clientConfig: server.clientConfig });
