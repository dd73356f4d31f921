/**
 * What the audit log costs, over the memory store: creates, gets, and nine gets for each create, without it, with events in a file of
 * level Metadata, of that level with an event before each request, and of level RequestResponse, on servers that take turns.
 * Figures: microseconds of server CPU per request and requests a second, the medians of all rounds.
 */
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { inParallel, median, print, timed, toDigits } from '../support/figures.mjs';
import { Server, Store } from '../support/server.mjs';

const { values: options } = parseArgs({
  options: { requests: { type: 'string', default: '2000' }, rounds: { type: 'string', default: '5' } },
});
const requests = Number(options.requests);
const IN_FLIGHT = 32;
const COLLECTION = '/api/v1/namespaces/default/configmaps';

const VARIANTS = {
  'no audit': undefined,
  Metadata: policyOf('Metadata', ['RequestReceived']),
  'Metadata, all stages': policyOf('Metadata', []),
  RequestResponse: policyOf('RequestResponse', ['RequestReceived']),
};
const KINDS = ['create', 'get', 'mixed'];

const variants = [];
for (const [figure, policy] of Object.entries(VARIANTS)) {
  const store = await Store.open('memory');
  const server = await Server.start(store, { flags: policy === undefined ? [] : auditFlags(store.folder, policy) });
  variants.push({ figure, store, server, rounds: [] });
}
try {
  for (let round = 0; round <= Number(options.rounds); round++) {
    for (const variant of variants) await play(variant, round);
  }
  for (const { figure, rounds } of variants) print({ figure, ...medians(rounds) });
} finally {
  for (const { server, store } of variants) {
    await server.stop();
    await store.close();
  }
}

/** The first round warms up and does not count. Each has a connection of its own: a server ends those that idle. */
async function play({ server, rounds }, round) {
  const client = server.connect();
  const name = (index) => `bench-${round}-${index}`;
  const create = (index) => client.send('POST', COLLECTION, bodyOf(name(index)));
  const get = (index) => client.send('GET', `${COLLECTION}/${name(index)}`);
  const figures = {
    create: await figuresOf(server, create),
    get: await figuresOf(server, get),
    mixed: await figuresOf(server, (index) => (index % 10 === 0 ? create(requests + index) : get(index))),
  };
  client.close();
  if (round > 0) rounds.push(figures);
}

function bodyOf(name) {
  return JSON.stringify({ metadata: { name }, data: { a: 'b'.repeat(1000) } });
}

async function figuresOf(server, request) {
  const { cpuSeconds, wallSeconds } = await timed(server, () => inParallel(requests, IN_FLIGHT, request));
  return { cpu: (cpuSeconds * 1e6) / requests, rate: requests / wallSeconds };
}

function medians(rounds) {
  const of = (kind, figure) => toDigits(median(rounds.map((round) => round[kind][figure])), 1);
  return Object.fromEntries(
    KINDS.flatMap((kind) => [
      [`${kind}CpuMicroseconds`, of(kind, 'cpu')],
      [`${kind}PerSecond`, of(kind, 'rate')],
    ]),
  );
}

function policyOf(level, omitStages) {
  return { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', omitStages, rules: [{ level }] };
}

function auditFlags(folder, policy) {
  const path = join(folder, 'policy.json');
  writeFileSync(path, JSON.stringify(policy));
  return ['--audit-policy-file', path, '--audit-log-path', join(folder, 'audit.log')];
}
