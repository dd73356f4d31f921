/**
 * The milliseconds of updates, 64 in flight, alone and while another connection lists the whole collection once a second; and how late the server's
 * event loop was. A new revision may be compacted after five minutes, so a longer run has compactions too.
 */
import { parseArgs } from 'node:util';
import { inParallel, megabytes, print, toDigits } from '../support/figures.mjs';
import { collection, objectsOf, pathOf } from '../support/objects.mjs';
import { Server, Store } from '../support/server.mjs';

const { values: options } = parseArgs({
  options: {
    objects: { type: 'string', default: '5000' },
    kilobytes: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '20' },
    'in-flight': { type: 'string', default: '64' },
    store: { type: 'string', default: 'embedded' },
  },
});
const objects = Number(options.objects);
const inFlight = Number(options['in-flight']);
const body = objectsOf(Number(options.kilobytes));
const LIST_EVERY_MS = 1000;

const store = await Store.open(options.store);
const server = await Server.start(store);
const [writer, reader, observer] = [server.connect(), server.connect(), server.connect()];
try {
  await inParallel(objects, inFlight, (index) => writer.send('POST', collection, body(index, 0)));
  await write(5000);
  await measure('updates alone', () => undefined);
  await measure('updates beside lists', listEachSecond);
} finally {
  for (const client of [writer, reader, observer]) client.close();
  await server.stop();
  await store.close();
}

async function measure(figure, startOthers) {
  await lag();
  const stopOthers = startOthers();
  const milliseconds = (await write(Number(options.seconds) * 1000)).sort((a, b) => a - b);
  const lists = await stopOthers?.();
  const at = (share) => toDigits(milliseconds[Math.floor((milliseconds.length - 1) * share)], 1);
  print({
    figure,
    updates: milliseconds.length,
    ...(lists === undefined ? {} : { lists: lists.length, listMegabytes: megabytes(Math.max(...lists)) }),
    milliseconds: { p50: at(0.5), p99: at(0.99), max: at(1) },
    eventLoopMilliseconds: await lag(),
  });
}

/** Resolves to the milliseconds of each update. */
async function write(duration) {
  const end = performance.now() + duration;
  const milliseconds = [];
  let next = 0;
  const work = async () => {
    while (performance.now() < end) {
      const index = next++ % objects;
      const start = performance.now();
      await writer.send('PUT', pathOf(index), body(index, next));
      milliseconds.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  return milliseconds;
}

/** Returns a function that ends it and resolves to the bytes of each list. */
function listEachSecond() {
  const lists = [];
  const timer = setInterval(() => lists.push(reader.send('GET', collection)), LIST_EVERY_MS);
  return () => {
    clearInterval(timer);
    return Promise.all(lists);
  };
}

/** Since the last call. */
async function lag() {
  const metrics = await observer.text('/metrics');
  const of = (statistic) => {
    const line = new RegExp(`^nodejs_eventloop_lag_seconds\\{statistic="${statistic}"\\} (\\S+)`, 'm').exec(metrics);
    return toDigits(Number(line?.[1] ?? Number.NaN) * 1000, 1);
  };
  return { p50: of('p50'), p99: of('p99'), max: of('max') };
}
