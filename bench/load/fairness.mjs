/**
 * What a tenant notices of another one who lists without end over 200 connections, from a process of its own: with priority and fairness,
 * with the limits in flight alone, and without any limit. Both tenants have the same rights and the same priority level. The servers
 * take turns. With `--against`, only with priority and fairness, also on another built checkout. With `--kube-apiserver`, also on that program with an
 * etcd, whose CPU counts.
 * Figures: the tenant's requests a second; the median and 99th percentile of the milliseconds of its gets and of its updates; the same of
 * the CPU that the server's main thread has used meanwhile, which is the time on a machine with a core for each program; alone and beside
 * the flood. Of the flood: its lists.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { inParallel, print, toDigits } from '../support/figures.mjs';
import { collection, objectsOf, pathOf } from '../support/objects.mjs';
import { Client } from '../support/client.mjs';
import { root, Server, Store } from '../support/server.mjs';
import { startUpstream } from '../support/upstream.mjs';

const { values: options } = parseArgs({
  options: {
    connections: { type: 'string', default: '200' },
    objects: { type: 'string', default: '1000' },
    kilobytes: { type: 'string', default: '2' },
    'in-flight': { type: 'string', default: '4' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '2' },
    against: { type: 'string' },
    'kube-apiserver': { type: 'string' },
  },
});
const objects = Number(options.objects);
const body = objectsOf(Number(options.kilobytes));
/** Both have the same rights. */
const USERS = ['tenant', 'flood'];
/** The flood needs a moment to fill the queues. */
const FLOODING_MS = 5000;

const others = ['--enable-priority-and-fairness=false'];
const compared =
  options.against === undefined
    ? [
        { limits: 'priority and fairness' },
        { limits: 'limits in flight', flags: others },
        { limits: 'none', flags: [...others, '--max-requests-inflight=0', '--max-mutating-requests-inflight=0'] },
      ]
    : [
        { limits: 'priority and fairness' },
        {
          limits: 'priority and fairness, of the other checkout',
          program: resolve(options.against, 'packages/binnacle/bundle/cli/main.js'),
        },
      ];

const variants = [];
for (const { limits, flags = [], program } of compared) variants.push(await openBinnacle(limits, flags, program));
if (options['kube-apiserver'] !== undefined) variants.push(await openKubeApiserver(options['kube-apiserver']));
for (const variant of variants) {
  const administrator = variant.connect();
  await prepare(administrator);
  administrator.close();
  Object.assign(variant, { client: variant.connect('tenant'), alone: newFigures(), flooded: newFigures(), lists: 0 });
}
try {
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const variant of variants) {
      await play(variant, variant.alone);
      const flood = startFlood(variant);
      await new Promise((resume) => setTimeout(resume, FLOODING_MS));
      await play(variant, variant.flooded);
      variant.lists += (await flood.end()).lists;
    }
  }
  for (const { limits, alone, flooded, lists } of variants) {
    print({ limits, alone: summary(alone), flooded: summary(flooded), lists });
  }
} finally {
  for (const { client, close } of variants) {
    client.close();
    await close();
  }
}

async function openBinnacle(limits, flags, program) {
  const store = await Store.open('memory');
  const tokens = join(store.folder, 'tokens.csv');
  writeFileSync(tokens, USERS.map((name) => `${name},${name},${name}\n`).join(''));
  const server = await Server.start(store, { flags: [...flags, '--token-auth-file', tokens], program });
  return {
    limits,
    url: server.url,
    credentials: (token) => server.credentials(token),
    connect: (token) => server.connect(token),
    cpuMilliseconds: () => server.threadMilliseconds(),
    close: async () => {
      await server.stop();
      await store.close();
    },
  };
}

async function openKubeApiserver(program) {
  const upstream = await startUpstream(program, { users: USERS });
  const credentials = (token = upstream.token) => ({ token, rejectUnauthorized: false });
  return {
    limits: 'kube-apiserver',
    url: upstream.url,
    credentials,
    connect: (token) => new Client(upstream.url, credentials(token)),
    cpuMilliseconds: () => upstream.cpuSeconds() * 1000,
    close: upstream.stop,
  };
}

async function prepare(client) {
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
  const subjects = USERS.map((name) => ({ apiGroup: roleRef.apiGroup, kind: 'User', name }));
  const binding = JSON.stringify({ metadata: { name: 'tenants' }, roleRef, subjects });
  await client.send('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', binding);
  await inParallel(objects, 16, (index) => client.send('POST', collection, body(index, 0)));
}

function newFigures() {
  return { gets: newTimes(), updates: newTimes(), seconds: 0, cpuSeconds: 0 };
}

function newTimes() {
  return { wall: [], cpu: [] };
}

/** Gets and updates take turns. */
async function play({ client, cpuMilliseconds }, figures) {
  const start = performance.now();
  const cpuStart = cpuMilliseconds();
  const end = start + Number(options.seconds) * 1000;
  let sent = 0;
  const worker = async () => {
    while (performance.now() < end) {
      const index = sent++;
      const isGet = index % 2 === 0;
      const path = pathOf(index % objects);
      const [before, cpuBefore] = [performance.now(), cpuMilliseconds()];
      if (isGet) await client.send('GET', path);
      else await client.send('PUT', path, body(index % objects, index));
      const { wall, cpu } = isGet ? figures.gets : figures.updates;
      wall.push(performance.now() - before);
      cpu.push(cpuMilliseconds() - cpuBefore);
    }
  };
  await Promise.all(Array.from({ length: Number(options['in-flight']) }, worker));
  figures.seconds += (performance.now() - start) / 1000;
  figures.cpuSeconds += (cpuMilliseconds() - cpuStart) / 1000;
}

function startFlood({ url, credentials }) {
  const program = join(root, 'bench/support/flood.mjs');
  const parameters = [url, JSON.stringify(credentials('flood')), options.connections, collection];
  const child = spawn(process.execPath, [program, ...parameters], { stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  return {
    async end() {
      const closed = once(child, 'close');
      child.stdin.end();
      await closed;
      return JSON.parse(text);
    },
  };
}

function summary({ gets, updates, seconds, cpuSeconds }) {
  const count = gets.wall.length + updates.wall.length;
  const both = (figures) => [at(figures, 0.5), at(figures, 0.99)];
  const at = (figures, part) =>
    toDigits(figures.toSorted((a, b) => a - b)[Math.floor(figures.length * part)] ?? NaN, 1);
  return {
    perSecond: Math.round(count / seconds),
    perCpuSecond: Math.round(count / cpuSeconds),
    get: both(gets.wall),
    getCpu: both(gets.cpu),
    update: both(updates.wall),
    updateCpu: both(updates.cpu),
  };
}
