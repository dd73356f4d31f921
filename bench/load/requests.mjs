/**
 * CPU and time per request of a Binnacle server in its own process. The client's CPU is not counted.
 * Figures: microseconds of server CPU (user and system) and of wall time per request.
 */
import { parseArgs } from 'node:util';
import { inParallel, megabytes, print, timed } from '../support/figures.mjs';
import { collection, objectsOf, pathOf } from '../support/objects.mjs';
import { Server, Store } from '../support/server.mjs';

const { values: options } = parseArgs({
  options: {
    objects: { type: 'string', default: '2000' },
    kilobytes: { type: 'string', default: '4' },
    watchers: { type: 'string', default: '100' },
    'in-memory': { type: 'boolean', default: false },
  },
});
const count = Number(options.objects);
const watchers = Number(options.watchers);
const object = objectsOf(Number(options.kilobytes));
const IN_FLIGHT = 64;
const EVENTS = 200;

const store = await Store.open(options['in-memory'] ? 'memory' : 'embedded');
const server = await Server.start(store);
const client = server.connect();
try {
  await measureAll();
} finally {
  client.close();
  await server.stop();
  await store.close();
}

async function measureAll() {
  await measure('create', count, (index) => client.send('POST', collection, object(index, 0)));
  await measure('get', count * 2, (index) => client.send('GET', pathOf(index % count)));
  await measure('update', count, (index) => client.send('PUT', pathOf(index), object(index, 1)));
  await measure('merge patch', count, (index) =>
    client.send('PATCH', pathOf(index), '{"data":{"generation":"2"}}', 'application/merge-patch+json'),
  );
  await measure(`list of ${count}`, 20, () => client.send('GET', collection), 1);
  const { resourceVersion } = (await client.read(`${collection}?limit=1`)).metadata;
  const path = `${collection}?watch=1&resourceVersion=${resourceVersion}`;
  const watching = server.watches(watchers, path, EVENTS);
  await watching.open;
  const delivery = `watch delivery, ${watchers} watchers, its share of the writes included`;
  report(
    delivery,
    watchers * EVENTS,
    await timed(server, async () => {
      await inParallel(EVENTS, 1, (index) => client.send('PUT', pathOf(index % count), object(index, 3 + index)));
      await watching.done;
    }),
  );
  watching.close();
  await measure('delete', count, (index) => client.send('DELETE', pathOf(index)));
  print({ figure: 'resident memory', megabytes: megabytes(server.residentBytes()) });
}

async function measure(figure, requests, one, inFlight = IN_FLIGHT) {
  report(figure, requests, await timed(server, () => inParallel(requests, inFlight, one)));
}

function report(figure, requests, { cpuSeconds, wallSeconds }) {
  print({
    figure,
    requests,
    cpuMicroseconds: Math.round((cpuSeconds * 1e6) / requests),
    wallMicroseconds: Math.round((wallSeconds * 1e6) / requests),
  });
}
