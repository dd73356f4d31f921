/**
 * The process of `measured-server.mjs`. Its argument is JSON: how many pods the store has, and their size; without
 * pods the store is in memory. It measures silences of its own event loop, because a request from outside would wait
 * for the same loop.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { start } from 'binnacle';
import { fillStore } from './filled-store.mjs';
import { SilenceMeter } from './silence-meter.mjs';

const { directory, pods, bytes, maxMemoryBytes } = JSON.parse(process.argv[2]);
const dataDirectory = join(directory, 'data');
if (pods > 0) await fillStore(dataDirectory, pods, bytes);

const server = await start({
  ...(pods > 0 ? { dataDirectory } : { inMemory: true }),
  ...(maxMemoryBytes === undefined ? {} : { maxMemoryBytes }),
  controllers: '',
  featureGates: 'CBORServingAndStorage=true',
});
const meter = new SilenceMeter();

async function settle() {
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.();
    await pause(20);
  }
  meter.reset();
}

process.on('message', async (question) => {
  if (question === 'settle') await settle();
  process.send(meter.longest);
});
process.on('disconnect', () => process.exit(1));
process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)));
process.send({ url: server.url, clientConfig: server.clientConfig });
