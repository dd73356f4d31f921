/**
 * CPU of Binnacle, and of other servers, for the same requests. The servers take turns: each figure is measured on one after the other, so that all
 * have seen the same machine. The CPU of an etcd counts, that of the client does not.
 */
import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { megabytes, timed } from '../support/figures.mjs';
import { until } from '../support/until.mjs';
import { playsOf } from './plays.mjs';
import { sharesOf } from './profile-shares.mjs';
import { shapesOf } from './shapes.mjs';
import { tableOf } from './table.mjs';
import { runningServer, startBareServer, startBinnacle, startKubeApiserver } from './targets.mjs';

const { values: options } = parseArgs({
  options: {
    /** Creates a kube-apiserver over etcd from this program. */
    'kube-apiserver': { type: 'string' },
    /** Adds a server that only does what Node.js and LMDB must do, as a floor. */
    bare: { type: 'boolean', default: false },
    /** A server that runs already, its token, and its processes with those of its etcd, separated by commas. */
    against: { type: 'string' },
    token: { type: 'string' },
    pids: { type: 'string', default: '' },
    /** Those of Binnacle. */
    stores: { type: 'string', default: 'embedded,etcd' },
    /** `pods`, `configmaps`, `leases` or `widgets`, which are custom resources. */
    shape: { type: 'string', default: 'pods' },
    /** Of a ConfigMap or a widget. */
    kilobytes: { type: 'string', default: '4' },
    objects: { type: 'string', default: '5000' },
    watchers: { type: 'string', default: '200' },
    /** Only the plays with one of these words in their names, and the creates. */
    only: { type: 'string', default: '' },
    /** Writes profiles of the CPU of Binnacle into this folder, and prints which rooms took it. They slow Binnacle down. */
    profiles: { type: 'string' },
    /** Figures are added to this file as lines of JSON. */
    lines: { type: 'string' },
  },
});

const shape = shapesOf(Number(options.kilobytes))[options.shape];
const words = ['create', ...options.only.split(',').filter(Boolean)];
const plays = playsOf({ shape, objects: Number(options.objects), watchers: Number(options.watchers) }).filter(
  ({ figure }) => options.only === '' || words.some((word) => figure.includes(word)),
);
const targets = await openTargets();
const lines = [];
const spells = [];
try {
  for (const { client } of targets) await prepareCollection(client);
  for (const play of plays) for (const target of targets) await measure(play, target);
  // Pages of mapped files, such as those of the store, are the system's file cache, which it takes back when it needs memory.
  for (const [figure, field] of [
    ['memory after the run', 'VmRSS'],
    ['of that anonymous', 'RssAnon'],
  ]) {
    for (const target of targets) record(figure, target, megabytes(target.memoryBytes(field)), 'MB');
  }
} finally {
  for (const target of targets) {
    target.client.close();
    await target.close();
  }
}
console.log(`\n${tableOf(lines)}`);
for (const { name, profile } of targets)
  if (profile !== undefined) console.log(`\n${name}:\n\n${sharesTable(name, profile())}`);

async function openTargets() {
  const opened = [];
  const open = (target) => opened.push({ ...target, client: target.connect() });
  if (options['kube-apiserver'] !== undefined) open(await startKubeApiserver(options['kube-apiserver']));
  if (options.against !== undefined) {
    open(runningServer(options.against, options.token, options.pids.split(',').filter(Boolean)));
  }
  if (options.bare) open(await startBareServer());
  for (const store of options.stores.split(',').filter(Boolean)) {
    open(await startBinnacle(`Binnacle, ${store}`, store, options.profiles));
  }
  return opened;
}

/** Creates what the objects need, and resolves when their collection is served. */
async function prepareCollection(client) {
  const alreadyThere = (error) => {
    if (!error.message.endsWith(': 409')) throw error;
  };
  for (const [path, object] of shape.needs) await client.send('POST', path, JSON.stringify(object)).catch(alreadyThere);
  await until(() => client.send('GET', shape.collection).then(() => true));
}

async function measure({ figure, operations, prepare = async () => undefined, run }, target) {
  const prepared = await prepare(target.client, target);
  const [begin, mainThread] = [monotonicMilliseconds(), target.mainThreadMilliseconds?.()];
  const { cpuSeconds, wallSeconds } = await timed(target, () => run(target.client, prepared));
  const each = (cpuSeconds * 1000) / operations;
  record(figure, target, each, 'CPU ms an operation', { perSecond: Math.round(operations / wallSeconds) });
  if (target.profile === undefined) return;
  const eachOfMain = (target.mainThreadMilliseconds() - mainThread) / operations;
  spells.push({ figure, server: target.name, interval: [begin, monotonicMilliseconds()], each, eachOfMain });
}

function monotonicMilliseconds() {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** The CPU milliseconds of an operation that each group of rooms takes on the main thread, and those of other threads and of an etcd. */
function sharesTable(server, profile) {
  const shares = spells
    .filter((spell) => spell.server === server)
    .flatMap(({ figure, interval, each, eachOfMain }) => {
      const groups = Object.entries(sharesOf(profile, interval));
      const main = groups.map(([group, share]) => ({ figure: group, server: figure, value: share * eachOfMain }));
      return [...main, { figure: 'other threads, etcd', server: figure, value: each - eachOfMain }];
    });
  return tableOf(shares, { ratios: false });
}

function record(figure, target, value, unit, more = {}) {
  const line = { figure, server: target.name, value, unit, ...more };
  lines.push(line);
  const text = JSON.stringify({ shape: options.shape, ...line });
  console.log(text);
  if (options.lines !== undefined) appendFileSync(options.lines, `${text}\n`);
}
