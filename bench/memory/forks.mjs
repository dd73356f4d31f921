/**
 * Forks of a server in this process, over memory stores of growing size: time and CPU until a fork is ready and until it has
 * answered its first read, memory of an idle fork, and the time of a reset after a few writes. The store is filled directly with copies of one stored object.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { megabytes, median, print, toDigits } from '../support/figures.mjs';
import { root } from '../support/server.mjs';

const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '1000,10000,100000' },
    bytes: { type: 'string', default: '2000' },
    forks: { type: 'string', default: '10' },
    /** Writes between two resets. */
    writes: { type: 'string', default: '20' },
    resets: { type: 'string', default: '20' },
  },
});
const load = (path) => import(pathToFileURL(join(root, 'packages', path)).href);
const { assemble, defaultParts } = await load('binnacle/dist/embed/index.js');
const { sharedCredentials } = await load('binnacle/dist/testing/shared-credentials.js');
const { openMemoryKV } = await load('kv/dist/memory/index.js');
const { DynamicClient } = await load('client/dist/dynamic/index.js');
const { connect } = await load('client/dist/transport/index.js');
const { housekeeping } = await load('controllers/dist/table/index.js');

const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
const object = (name) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { padding: 'x'.repeat(Number(values.bytes)) },
});

async function serve(kv, isFork) {
  const options = { inMemory: true, controllers: housekeeping, scheduler: false };
  const parts = { ...defaultParts, isFork, credentials: ({ hosts }) => sharedCredentials(hosts), openStore: () => kv };
  const server = await assemble(options, parts);
  const transport = connect(server.clientConfig, { userAgent: 'bench' });
  const client = new DynamicClient(transport).resource(configMaps).namespace('default');
  const stop = async () => {
    await transport.close();
    await server.stop();
  };
  return { client, kv, stop };
}

async function fill(kv, count) {
  const [first] = (await kv.range({ prefix: '/registry/configmaps/default/object-0', exact: true })).items;
  const write = (index) => {
    const name = `object-${index}`;
    const value = Buffer.from(Buffer.from(first.value).toString().replace('object-0', name));
    const operation = { type: 'put', value, tag: first.tag };
    return kv.txn({ key: `/registry/configmaps/default/${name}`, expectedRevision: 0, operation });
  };
  for (let index = 1; index < count; index += 1000) {
    await Promise.all(Array.from({ length: Math.min(1000, count - index) }, (_, offset) => write(index + offset)));
  }
}

/** Resolves when the parent's loops have seen all objects: they would take the time of the first forks. */
async function quiet() {
  for (let before = performance.eventLoopUtilization(); ; before = performance.eventLoopUtilization()) {
    await sleep(1000);
    if (performance.eventLoopUtilization(before).utilization < 0.05) return;
  }
}

/** Milliseconds of CPU since a reading. */
function cpuSince(reading) {
  const { user, system } = process.cpuUsage(reading);
  return (user + system) / 1000;
}

function usedMemory() {
  for (let round = 0; round < 3; round++) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

for (const objects of values.objects.split(',').map(Number)) {
  const kv = openMemoryKV();
  const base = await serve(kv, false);
  await base.client.create(object('object-0'));
  await fill(kv, objects);
  await quiet();
  const before = usedMemory();
  const [ready, readyCpu, times, cpu] = [[], [], [], []];
  const forks = [];
  for (let each = 0; each < Number(values.forks); each++) {
    const [start, used] = [performance.now(), process.cpuUsage()];
    const fork = await serve(kv.fork(), true);
    ready.push(performance.now() - start);
    readyCpu.push(cpuSince(used));
    await fork.client.get('object-0');
    times.push(performance.now() - start);
    cpu.push(cpuSince(used));
    forks.push(fork);
  }
  const forkMegabytes = toDigits((usedMemory() - before) / forks.length / 2 ** 20, 1);
  const [fork] = forks;
  const snapshot = fork.kv.snapshot();
  const resets = [];
  for (let each = 0; each < Number(values.resets); each++) {
    for (let write = 0; write < Number(values.writes); write++) await fork.client.create(object(`written-${write}`));
    const start = performance.now();
    await snapshot.restore();
    resets.push(performance.now() - start);
  }
  print({
    objects,
    readyMilliseconds: toDigits(median(ready), 1),
    readyCpuMilliseconds: toDigits(median(readyCpu), 1),
    firstReadMilliseconds: toDigits(median(times), 1),
    firstReadCpuMilliseconds: toDigits(median(cpu), 1),
    forkMegabytes,
    resetMilliseconds: toDigits(median(resets), 2),
    parentMegabytes: megabytes(before),
  });
  await Promise.all(forks.map(({ stop }) => stop()));
  await base.stop();
}
