/**
 * CPU of concurrent creates (64), of gets and of listed items in the embedded store alone. With `--against` in turns with another checkout.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '2000' },
    kilobytes: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '5' },
    against: { type: 'string' },
  },
});
const objects = Number(values.objects);
const value = Buffer.from(JSON.stringify({ padding: 'x'.repeat(Number(values.kilobytes) * 1024) }));
const key = (index) => `/registry/things/default/thing-${String(index).padStart(6, '0')}`;

async function measure(checkout) {
  const module = pathToFileURL(resolve(checkout, 'packages/kv/dist/embedded/index.js')).href;
  const { openEmbeddedKV } = await import(module);
  const directory = await mkdtemp(join(tmpdir(), 'bench-embedded-'));
  const kv = await openEmbeddedKV({ directory });
  const author = {
    name: '["ann","kubectl-edit","kubectl/v1.36.0","update",""]',
    mark: '0a1b2c3d-0000-4000-8000-00112233ffee',
  };
  const create = (index) => kv.txn({ key: key(index), expectedRevision: 0, operation: { type: 'put', value }, author });
  const timed = async (run) => {
    const start = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / objects;
  };
  const createCpu = await timed(async () => {
    for (let from = 0; from < objects; from += 64) {
      await Promise.all(Array.from({ length: Math.min(64, objects - from) }, (_, index) => create(from + index)));
    }
  });
  const getCpu = await timed(async () => {
    for (let index = 0; index < objects; index += 1) await kv.range({ prefix: key(index), exact: true });
  });
  const listCpu = await timed(() => kv.range({ prefix: '/registry/things/' }));
  await kv.close();
  await rm(directory, { recursive: true });
  return { createCpu, getCpu, listCpu };
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
const checkouts = ['.', ...(values.against === undefined ? [] : [values.against])];
const figures = new Map(checkouts.map((checkout) => [checkout, []]));
for (let round = 0; round < Number(values.rounds); round += 1) {
  for (const checkout of checkouts) figures.get(checkout).push(await measure(checkout));
}
for (const [checkout, rounds] of figures) {
  const figure = (name) => Number(median(rounds.map((each) => each[name])).toFixed(1));
  const microseconds = { create: figure('createCpu'), get: figure('getCpu'), listItem: figure('listCpu') };
  console.log(JSON.stringify({ checkout, objects, cpuMicroseconds: microseconds }));
}
