/** The clients of `workers.mjs`: does one kind of requests at a message, and answers how many when they are done. */
import { inParallel } from '../support/figures.mjs';
import { Client, credentialsOf } from '../support/client.mjs';
import { collection, objectsOf, pathOf } from '../support/objects.mjs';

const given = JSON.parse(process.argv[2]);
const objects = Number(given.objects);
const object = objectsOf(Number(given.kilobytes));
const IN_FLIGHT = 64;
const EVENTS = 50;
const WATCHES_OF_A_CONNECTION = 50;

const connect = () => new Client(given.url, credentialsOf(given.kubeconfig));
const clients = Array.from({ length: Number(given.connections) }, connect);
const clientOf = (index) => clients[index % clients.length];
/** Each process of clients has objects of its own. */
const own = (index) => given.index * objects + index;
let generation = 0;

const work = {
  create: () => run(objects, (index) => clientOf(index).send('POST', collection, object(own(index), generation))),
  get: () => run(objects * 3, (index) => clientOf(index).send('GET', pathOf(own(index % objects)))),
  update: () =>
    run(objects, (index) => clientOf(index).send('PUT', pathOf(own(index)), object(own(index), ++generation))),
  'watch delivery': deliveries,
  delete: () => run(objects, (index) => clientOf(index).send('DELETE', pathOf(own(index)))),
};

async function run(count, one) {
  await inParallel(count, IN_FLIGHT, one);
  return count;
}

async function deliveries() {
  const watchers = Number(given.watchers);
  const watching = Array.from({ length: Math.max(2, Math.ceil(watchers / WATCHES_OF_A_CONNECTION)) }, connect);
  const { resourceVersion } = (await clients[0].read(`${collection}?limit=1`)).metadata;
  const path = `${collection}?watch=1&resourceVersion=${resourceVersion}`;
  const watches = Array.from({ length: watchers }, (_, index) => watching[index % watching.length].watch(path, EVENTS));
  await Promise.all(watches.map(({ open }) => open));
  const done = Promise.all(watches.map((watch) => watch.done));
  await inParallel(EVENTS, 4, (index) =>
    clientOf(index).send('PUT', pathOf(own(index)), object(own(index), ++generation)),
  );
  await done;
  for (const client of watching) client.close();
  return watchers * EVENTS;
}

process.on('message', async (name) => {
  process.send({ count: await work[name]() });
});
process.send('ready');
