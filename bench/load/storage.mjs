/**
 * The server over the embedded store and over a real etcd on the same disk: durable creates by one writer and by many, a list of a large collection,
 * events to many watchers, and the memory of a cached object. The server runs in its own process over HTTP/2; the client and etcd share its machine.
 *
 * CPU is that of the server's process, user and system; `storeCpu...` is etcd's. A list's bytes are those of its body.
 */
import { parseArgs } from 'node:util';
import { inParallel, print, timed, toDigits } from '../support/figures.mjs';
import { collection, objectsOf, pathOf } from '../support/objects.mjs';
import { Server, Store } from '../support/server.mjs';

const { values: options } = parseArgs({
  options: {
    /** Comma-separated. */
    stores: { type: 'string', default: 'embedded,etcd' },
    objects: { type: 'string', default: '10000' },
    kilobytes: { type: 'string', default: '2' },
    watchers: { type: 'string', default: '500' },
    events: { type: 'string', default: '200' },
  },
});
const count = Number(options.objects);
const watchers = Number(options.watchers);
const events = Number(options.events);
const object = objectsOf(Number(options.kilobytes));
const WRITERS_OF_A_CONNECTION = 64;
const LISTS = 10;
const WRITERS_OF_EVENTS = 8;

for (const name of options.stores.split(',')) {
  const store = await Store.open(name);
  try {
    await withServer(store, false, measureCreates);
    await withServer(store, true, async (server) => {
      await measureLists(server, name);
      await measureWatches(server, name);
    });
  } finally {
    await store.close();
  }
}

async function withServer(store, probed, run) {
  const server = await Server.start(store, { probed });
  try {
    await run(server, store.name, store);
  } finally {
    await server.stop();
  }
}

async function measureCreates(server, name, store) {
  // A single writer is slow, so it writes only a few objects.
  const alone = Math.ceil(count / 20);
  const rest = Math.floor((count - alone) / 2);
  await create(server, name, store, 1, 0, alone);
  await create(server, name, store, 64, alone, alone + rest);
  await create(server, name, store, 256, alone + rest, count);
}

async function create(server, name, store, writers, from, to) {
  const clients = Array.from({ length: Math.ceil(writers / WRITERS_OF_A_CONNECTION) }, () => server.connect());
  const latencies = [];
  const storeCpu = store.cpuSeconds();
  const { wallSeconds, cpuSeconds } = await timed(server, () =>
    inParallel(to - from, writers, async (index) => {
      const begun = performance.now();
      await clients[index % clients.length].send('POST', collection, object(from + index, 0));
      latencies.push(performance.now() - begun);
    }),
  );
  for (const client of clients) client.close();
  latencies.sort((a, b) => a - b);
  const quantile = (share) => toDigits(latencies[Math.floor((latencies.length - 1) * share)], 2);
  print({
    figure: 'durable creates',
    store: name,
    writers,
    creates: to - from,
    perSecond: Math.round((to - from) / wallSeconds),
    p50Milliseconds: quantile(0.5),
    p99Milliseconds: quantile(0.99),
    cpuMicroseconds: Math.round((cpuSeconds * 1e6) / (to - from)),
    storeCpuMicroseconds: Math.round(((store.cpuSeconds() - storeCpu) * 1e6) / (to - from)),
  });
}

async function measureLists(server, name) {
  const client = server.connect();
  const before = await memoryOf(server);
  const list = async (figure, times) => {
    const { result, wallSeconds, cpuSeconds } = await timed(server, async () => {
      let bytes = 0;
      for (let round = 0; round < times; round++) bytes = await client.send('GET', collection);
      return bytes;
    });
    print({
      figure,
      store: name,
      objects: count,
      megabytes: toDigits(result / 2 ** 20, 1),
      milliseconds: toDigits((wallSeconds * 1000) / times, 1),
      cpuMilliseconds: toDigits((cpuSeconds * 1000) / times, 1),
    });
    return result;
  };
  await list('first list after a start, which builds the cache', 1);
  const bytes = await list('list', LISTS);
  const after = await memoryOf(server);
  print({
    figure: 'memory of a cached object, garbage collected, above the same server before its first list',
    store: name,
    jsonBytes: Math.round(bytes / count),
    reachableBytes: Math.round((after.reachable - before.reachable) / count),
    anonymousRssBytes: Math.round((after.anonymous - before.anonymous) / count),
  });
  client.close();
}

/** Live heap and buffers, and the process's resident memory, free pages included. */
async function memoryOf(server) {
  const { heapUsed, arrayBuffers } = await server.heap('collect');
  return { reachable: heapUsed + arrayBuffers, anonymous: server.anonymousBytes() };
}

async function measureWatches(server, name) {
  const client = server.connect();
  const { resourceVersion } = (await client.read(`${collection}?limit=1`)).metadata;
  const watching = server.watches(watchers, `${collection}?watch=1&resourceVersion=${resourceVersion}`, events);
  await watching.open;
  const { wallSeconds, cpuSeconds } = await timed(server, async () => {
    await inParallel(events, WRITERS_OF_EVENTS, (index) => client.send('PUT', pathOf(index % count), object(index, 1)));
    await watching.done;
  });
  const delivered = watchers * events;
  print({
    figure: 'events delivered, with the writes that made them',
    store: name,
    watchers,
    events: delivered,
    perSecond: Math.round(delivered / wallSeconds),
    cpuMicroseconds: toDigits((cpuSeconds * 1e6) / delivered, 1),
  });
  watching.close();
  client.close();
}
