/**
 * The cost of a large collection for a server that starts on it: time until it is ready, the first list (which builds the cache and converts stored
 * objects), later lists, and retained memory.
 *
 * Memory is anonymous RSS as the kernel reports it, so the memory map of the embedded store does not count. `ratio` relates all of it, the idle server
 * included, to the bytes of the list as JSON; `ratioAboveIdle` excludes the memory of the same server before its first list.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { inParallel, megabytes, print, timed, toDigits } from '../support/figures.mjs';
import { collection, objectsOf, pathOf } from '../support/objects.mjs';
import { Server, Store } from '../support/server.mjs';

const { values: options } = parseArgs({
  options: {
    objects: { type: 'string', default: '100000' },
    kilobytes: { type: 'string', default: '2' },
    /** `embedded` or `etcd`. */
    store: { type: 'string', default: 'embedded' },
    /** Seconds without requests before the idle memory is read. */
    idle: { type: 'string', default: '15' },
  },
});
const count = Number(options.objects);
const IN_FLIGHT = 64;
const LATER_LISTS = 5;

const store = await Store.open(options.store);
try {
  await load();
  await measure();
} finally {
  await store.close();
}

async function load() {
  const server = await Server.start(store);
  const client = server.connect();
  try {
    const object = objectsOf(Number(options.kilobytes));
    const { wallSeconds } = await timed(server, () =>
      inParallel(count, IN_FLIGHT, (index) => client.send('POST', collection, object(index, 0))),
    );
    print({ figure: 'loaded', store: store.name, objects: count, seconds: toDigits(wallSeconds, 1) });
  } finally {
    client.close();
    await server.stop();
  }
}

async function measure() {
  const server = await Server.start(store, { probed: true });
  const client = server.connect();
  try {
    print({ figure: 'start to ready', milliseconds: Math.round(server.readyMilliseconds) });
    const idle = await memory('idle after the start, garbage collected', server);
    const bytes = await list('first list', server, client);
    for (let round = 0; round < LATER_LISTS; round++) await list('later list', server, client);
    const unforced = server.anonymousBytes();
    await pause(Number(options.idle) * 1000);
    print({
      figure: 'after the lists, nothing forced',
      anonymousMegabytesAtOnce: megabytes(unforced),
      anonymousMegabytesIdle: megabytes(server.anonymousBytes()),
    });
    await memory('after the lists, garbage collected', server, { idle, bytes });
    await client.send('GET', `${collection}?labelSelector=shard%3D1`);
    await client.send('GET', `${collection}?fieldSelector=metadata.name%21%3Dnone&labelSelector=shard%3D1`);
    await memory('after lists by label and by field too, garbage collected', server, { idle, bytes });
    const object = objectsOf(Number(options.kilobytes));
    await inParallel(count, IN_FLIGHT, (index) => client.send('PUT', pathOf(index), object(index, 1)));
    await memory('after an update of every object, the window of changes included, garbage collected', server, {
      idle,
      bytes,
    });
  } finally {
    client.close();
    await server.stop();
  }
}

async function list(figure, server, client) {
  await server.heap('reset');
  const { result: bytes, wallSeconds, cpuSeconds } = await timed(server, () => client.send('GET', collection));
  const { longestLoopMilliseconds } = await server.heap('look');
  print({
    figure,
    megabytes: megabytes(bytes),
    seconds: toDigits(wallSeconds, 2),
    cpuSeconds: toDigits(cpuSeconds, 2),
    longestLoopMilliseconds: Math.round(longestLoopMilliseconds),
  });
  return bytes;
}

/** `compared` has the idle memory and the bytes of the collection. */
async function memory(figure, server, compared) {
  const { heapUsed, heapTotal, external, arrayBuffers } = await server.heap('collect');
  const anonymous = server.anonymousBytes();
  print({
    figure,
    anonymousMegabytes: megabytes(anonymous),
    heapUsedMegabytes: megabytes(heapUsed),
    heapTotalMegabytes: megabytes(heapTotal),
    externalMegabytes: megabytes(external),
    arrayBuffersMegabytes: megabytes(arrayBuffers),
    ...(compared === undefined
      ? {}
      : {
          jsonMegabytes: megabytes(compared.bytes),
          ratio: toDigits(anonymous / compared.bytes, 2),
          ratioAboveIdle: toDigits((anonymous - compared.idle) / compared.bytes, 2),
          bytesPerObjectAboveItsJson: Math.round((anonymous - compared.idle - compared.bytes) / count),
        }),
  });
  return anonymous;
}
