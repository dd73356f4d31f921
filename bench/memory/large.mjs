/**
 * A server that starts on a very large collection of pods: time until it is ready, until the end of the first full list and of the first list by a
 * field; the longest block of its event loop; and retained anonymous memory.
 *
 * The store is filled directly: one pod is created over HTTP, and its stored bytes are written under many names.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { inParallel, megabytes, print, timed, toDigits } from '../support/figures.mjs';
import { podOf, pods } from '../support/pods.mjs';
import { root, Server, Store } from '../support/server.mjs';

const { values: options } = parseArgs({
  options: {
    objects: { type: 'string', default: '100000' },
    /** Approximate bytes of a stored pod. */
    bytes: { type: 'string', default: '3600' },
    /** Keeps the store in this folder for the next run. Default: deleted. */
    folder: { type: 'string' },
    /** Seeds the store as another release would, so that the first start has to decode every pod. */
    upgraded: { type: 'boolean', default: false },
    starts: { type: 'string', default: '1' },
    /** Lists after the first one. */
    lists: { type: 'string', default: '5' },
    /** Gets of single pods, 64 in flight. */
    gets: { type: 'string', default: '20000' },
  },
});
const count = Number(options.objects);
const IN_FLIGHT = 64;
const SEEDED_AT_ONCE = 1024;
/** The fingerprint of no release. */
const OTHER_TAG = 1;
const FIRST_NAME = 'large-000000000000';

const store = await Store.open('embedded');
if (options.folder !== undefined) store.folder = options.folder;
try {
  if (!existsSync(join(store.folder, 'data'))) await seed();
  for (let start = 0; start < Number(options.starts); start++) await measure();
} finally {
  if (options.folder === undefined) await store.close();
}

function template() {
  const pod = JSON.parse(podOf(0));
  pod.metadata.name = FIRST_NAME;
  pod.metadata.annotations.padding = '';
  pod.spec.containers.length = 1;
  return JSON.stringify(pod);
}

/** Stored bytes of the size asked for, still canonical: without managed fields, and padded in an annotation. */
function resized(stored, bytes) {
  const pod = JSON.parse(stored);
  delete pod.metadata.managedFields;
  pod.metadata.annotations.padding = 'x'.repeat(Math.max(0, bytes - JSON.stringify(pod).length));
  return JSON.stringify(pod);
}

async function seed() {
  const server = await Server.start(store);
  const client = server.connect();
  try {
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
    await client.send('POST', '/api/v1/namespaces/default/serviceaccounts', JSON.stringify(account));
    await client.send('POST', pods, template());
  } finally {
    client.close();
    await server.stop();
  }

  const { openEmbeddedKV } = await import(join(root, 'packages/kv/dist/embedded/index.js'));
  const kv = await openEmbeddedKV({ directory: join(store.folder, 'data', 'store') });
  const started = performance.now();
  const key = `/registry/pods/default/${FIRST_NAME}`;
  const { items } = await kv.range({ prefix: key, exact: true });
  const [first] = items;
  const text = resized(Buffer.from(first.value).toString(), Number(options.bytes));
  await inParallel(count - 1, SEEDED_AT_ONCE, async (index) => {
    const digits = `${index + 1}`.padStart(12, '0');
    const uid = /"uid":"([0-9a-f-]{24})/.exec(text.slice(text.indexOf(FIRST_NAME)))[1];
    const value = text
      .replaceAll(FIRST_NAME, `large-${digits}`)
      .replace(new RegExp(`"uid":"${uid}[0-9a-f]{12}"`), `"uid":"${uid}${digits}"`)
      .replace('"nodeName":"node-0"', `"nodeName":"node-${index % 500}"`);
    const tag = options.upgraded ? OTHER_TAG : first.tag;
    await kv.txn({
      key: `/registry/pods/default/large-${digits}`,
      expectedRevision: 0,
      operation: { type: 'put', value: Buffer.from(value), ...(tag === undefined ? {} : { tag }) },
    });
  });
  await kv.close();
  print({
    figure: 'seeded',
    objects: count,
    bytesOfOne: text.length,
    seconds: toDigits((performance.now() - started) / 1000, 1),
  });
}

async function measure() {
  const start = performance.now();
  const server = await Server.start(store, { probed: true });
  const client = server.connect();
  try {
    await server.heap('reset');
    const first = await timed(server, () => client.send('GET', pods));
    const total = performance.now() - start;
    const { longestLoopMilliseconds } = await server.heap('reset');
    print({
      figure: 'restart',
      readyMilliseconds: Math.round(server.readyMilliseconds),
      startToEndOfFirstListSeconds: toDigits(total / 1000, 2),
      listMegabytes: megabytes(first.result),
      cpuSeconds: toDigits(first.cpuSeconds, 2),
      cpuSecondsFromStart: toDigits(server.cpuSeconds(), 2),
      longestLoopMilliseconds: Math.round(longestLoopMilliseconds),
      anonymousMegabytes: megabytes(server.anonymousBytes()),
    });
    await figure('first list by spec.nodeName', server, () =>
      client.send('GET', `${pods}?fieldSelector=spec.nodeName%3Dnode-7`),
    );
    await figure('first list by status.phase', server, () =>
      client.send('GET', `${pods}?fieldSelector=status.phase%3DRunning`),
    );
    await figure('first list by label', server, () => client.send('GET', `${pods}?labelSelector=app%3Dnone`));
    for (let round = 0; round < Number(options.lists); round++) {
      await figure('later list', server, () => client.send('GET', pods));
    }
    const gets = Number(options.gets);
    const { cpuSeconds } = await timed(server, () =>
      inParallel(gets, IN_FLIGHT, (index) =>
        client.send('GET', `${pods}/large-${`${(index * 7919) % count}`.padStart(12, '0')}`),
      ),
    );
    print({ figure: 'get', objects: gets, cpuMicroseconds: Math.round((cpuSeconds / gets) * 1e6) });
    print({ figure: 'memory at once', anonymousMegabytes: megabytes(server.anonymousBytes()) });
    const { heapUsed, external } = await server.heap('collect');
    print({
      figure: 'memory after a collection',
      anonymousMegabytes: megabytes(server.anonymousBytes()),
      residentMegabytes: megabytes(server.residentBytes()),
      heapMegabytes: megabytes(heapUsed),
      externalMegabytes: megabytes(external),
    });
  } finally {
    client.close();
    await server.stop();
  }
}

async function figure(name, server, run) {
  await server.heap('reset');
  const { wallSeconds, cpuSeconds } = await timed(server, run);
  const { longestLoopMilliseconds } = await server.heap('look');
  print({
    figure: name,
    seconds: toDigits(wallSeconds, 2),
    cpuSeconds: toDigits(cpuSeconds, 2),
    longestLoopMilliseconds: Math.round(longestLoopMilliseconds),
    anonymousMegabytes: megabytes(server.anonymousBytes()),
  });
}
