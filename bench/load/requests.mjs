/**
 * CPU and time per request of a Binnacle server in its own process. The client's CPU is not counted.
 * Figures: microseconds of CPU (user and system) of the server and of an etcd, and of wall time, per request.
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
    store: { type: 'string', default: 'embedded' },
  },
});
const count = Number(options.objects);
const watchers = Number(options.watchers);
const object = objectsOf(Number(options.kilobytes));
const IN_FLIGHT = 64;
const EVENTS = 200;

const store = await Store.open(options.store);
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
  await report(delivery, watchers * EVENTS, async () => {
    await inParallel(EVENTS, 1, (index) => client.send('PUT', pathOf(index % count), object(index, 3 + index)));
    await watching.done;
  });
  watching.close();
  await measure('delete', count, (index) => client.send('DELETE', pathOf(index)));
  print({ figure: 'resident memory', megabytes: megabytes(server.residentBytes()) });
}

function measure(figure, requests, one, inFlight = IN_FLIGHT) {
  return report(figure, requests, () => inParallel(requests, inFlight, one));
}

async function report(figure, requests, run) {
  const before = store.cpuSeconds();
  const { cpuSeconds, wallSeconds } = await timed(server, run);
  const each = (seconds) => Math.round((seconds * 1e6) / requests);
  print({
    figure,
    requests,
    cpuMicroseconds: each(cpuSeconds),
    ...(options.store.startsWith('etcd') ? { etcdMicroseconds: each(store.cpuSeconds() - before) } : {}),
    wallMicroseconds: each(wallSeconds),
  });
}
