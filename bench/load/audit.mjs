/**
 * What the audit log costs: creates, gets and merge patches of pods of 3.9 KB, without it and with events in a file, on servers that take turns of a
 * few hundred requests, 64 in flight on one HTTP/2 connection each.
 * Figures: microseconds of server CPU per request, of all threads and of the main thread, the medians of all turns; and their ratios to those
 * without an audit log, the medians of the pairs of turns. A second server without an audit log says how far ratios are off by chance.
 */
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { shapesOf } from '../against/shapes.mjs';
import { inParallel, median, print, toDigits } from '../support/figures.mjs';
import { threadMillisecondsOf, threadsMillisecondsOf } from '../support/processes.mjs';
import { Server, Store } from '../support/server.mjs';

const { values: options } = parseArgs({
  options: {
    /** Of a turn. */
    requests: { type: 'string', default: '300' },
    turns: { type: 'string', default: '30' },
    /** Turns that do not count, in which Node.js compiles. */
    warm: { type: 'string', default: '15' },
    store: { type: 'string', default: 'embedded' },
    levels: { type: 'string', default: 'Metadata' },
    works: { type: 'string', default: 'create,get,merge patch' },
    /** With the stage RequestReceived, whose event is in the file before the request runs. */
    'all-stages': { type: 'boolean', default: false },
    /** Writes profiles of the CPU of the servers into this folder. */
    profiles: { type: 'string' },
  },
});
const requests = Number(options.requests);
const IN_FLIGHT = 64;
const MERGE = 'application/merge-patch+json';
const { collection, path, body, needs } = shapesOf(4).pods;

/** Turn 0 creates what is read and patched. */
const WORKS = {
  create: (client, turn, index) => client.send('POST', collection, JSON.stringify(body(turn * requests + index))),
  get: (client, _, index) => client.send('GET', path(index)),
  'merge patch': (client, turn, index) => client.send('PATCH', path(index), patchOf(turn), MERGE),
};
const works = options.works.split(',');
const NO_AUDIT = 'no audit';

const variants = [];
for (const level of [NO_AUDIT, NO_AUDIT, ...options.levels.split(',')]) variants.push(await open(level));
try {
  for (const variant of variants) await play(variant, 'create', 0);
  const count = Number(options.warm) + Number(options.turns);
  for (let turn = 1; turn <= count; turn++) {
    for (const name of works) {
      // The order alternates: the first of a turn finds other caches of the processor than the last.
      for (const variant of turn % 2 === 0 ? variants : variants.toReversed()) {
        const figures = await play(variant, name, turn);
        if (turn > Number(options.warm)) variant.turns[name].push(figures);
      }
    }
  }
  for (const name of works) for (const variant of variants) print(summary(variant, name));
} finally {
  for (const { client, server, store } of variants) {
    client.close();
    await server.stop();
    await store.close();
  }
}

async function open(level) {
  const store = await Store.open(options.store);
  const flags = level === NO_AUDIT ? [] : auditFlags(store.folder, level);
  const { profiles } = options;
  const nodeFlags =
    profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${join(profiles, level.replace(' ', '-'))}`];
  const server = await Server.start(store, { flags, nodeFlags });
  const client = server.connect();
  for (const [parent, object] of needs) await client.send('POST', parent, JSON.stringify(object));
  const turns = Object.fromEntries(Object.keys(WORKS).map((name) => [name, []]));
  return { level, store, server, client, turns };
}

function auditFlags(folder, level) {
  const file = join(folder, 'policy.json');
  const omitStages = options['all-stages'] ? [] : ['RequestReceived'];
  writeFileSync(
    file,
    JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', omitStages, rules: [{ level }] }),
  );
  return ['--audit-policy-file', file, '--audit-log-path', join(folder, 'audit.log')];
}

function patchOf(turn) {
  return JSON.stringify({ metadata: { labels: { generation: `${turn}` } } });
}

/** Resolves to the microseconds of a request. */
async function play({ server, client }, name, turn) {
  const [all, main] = [threadsMillisecondsOf(server.pid), threadMillisecondsOf(server.pid)];
  await inParallel(requests, IN_FLIGHT, (index) => WORKS[name](client, turn, index));
  const perRequest = (milliseconds) => (milliseconds * 1000) / requests;
  return {
    all: perRequest(threadsMillisecondsOf(server.pid) - all),
    main: perRequest(threadMillisecondsOf(server.pid) - main),
  };
}

function summary({ level, turns }, name) {
  const without = variants[0].turns[name];
  const of = (threads) => {
    const ratios = turns[name].map((figures, pair) => figures[threads] / without[pair][threads]);
    const microseconds = turns[name].map((figures) => figures[threads]);
    return { cpuMicroseconds: toDigits(median(microseconds), 1), ratio: toDigits(median(ratios), 3) };
  };
  return { figure: name, level, allThreads: of('all'), mainThread: of('main') };
}
