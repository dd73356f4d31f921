/**
 * The cost of CustomResourceDefinitions: the time from the first POST until all are established and the last is served, and the retained memory of
 * each beyond its stored bytes. Memory is measured twice: unused, without OpenAPI requests, and after each has been listed once.
 *
 * Memory is anonymous RSS after a garbage collection, minus that of the same server before, minus the bytes of the definitions as JSON, which the cache
 * holds.
 */
import { parseArgs } from 'node:util';
import { definition, definitionsPath, GROUP, pluralOf } from '../support/definitions.mjs';
import { inParallel, print, timed, toDigits } from '../support/figures.mjs';
import { Server, Store } from '../support/server.mjs';

const { values: options } = parseArgs({ options: { definitions: { type: 'string', default: '1,100,700' } } });
const IN_FLIGHT = 8;

for (const count of options.definitions.split(',').map(Number)) await measure(count);

async function measure(count) {
  const store = await Store.open('embedded');
  const server = await Server.start(store, { probed: true });
  const client = server.connect();
  try {
    const bodies = Array.from({ length: count }, (_, index) => JSON.stringify(definition(index)));
    const bytes = bodies.reduce((sum, body) => sum + body.length, 0);
    await client.send('GET', definitionsPath);
    await server.heap('collect');
    const before = server.anonymousBytes();
    const { wallSeconds, cpuSeconds } = await timed(server, () => serveAll(client, count, bodies));
    print({
      figure: 'served',
      definitions: count,
      kilobytesEach: Math.round(bytes / count / 1024),
      seconds: toDigits(wallSeconds, 2),
      cpuMillisecondsEach: toDigits((cpuSeconds * 1000) / count, 1),
    });
    const retained = async (figure) => {
      const { heapUsed } = await server.heap('collect');
      const beyond = (server.anonymousBytes() - before - bytes) / count;
      print({
        figure,
        definitions: count,
        megabytesEachBeyondStored: toDigits(beyond / 2 ** 20, 3),
        heapUsedMegabytes: Math.round(heapUsed / 2 ** 20),
      });
    };
    await retained('retained, unused');
    await inParallel(count, IN_FLIGHT, (index) => client.send('GET', `/apis/${GROUP}/v1/${pluralOf(index)}`));
    await retained('retained, each listed once');
  } finally {
    client.close();
    await server.stop();
    await store.close();
  }
}

/** Resolves when every definition is established and discovery shows all. */
async function serveAll(client, count, bodies) {
  await inParallel(count, IN_FLIGHT, (index) => client.send('POST', definitionsPath, bodies[index]));
  for (;;) {
    const { resources = [] } = await client.read(`/apis/${GROUP}/v1`).catch(() => ({}));
    if (resources.filter(({ name }) => !name.includes('/')).length === count) return;
  }
}
