/**
 * What the audit log costs, over the memory store: creates and gets without it, with events of level Metadata in a file, and of level
 * RequestResponse, on servers that take turns.
 * Figures: microseconds of server CPU per request, the median of all rounds.
 */
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { inParallel, median, print, timed } from '../support/figures.mjs';
import { Server, Store } from '../support/server.mjs';

const { values: options } = parseArgs({
  options: { requests: { type: 'string', default: '2000' }, rounds: { type: 'string', default: '5' } },
});
const requests = Number(options.requests);
const IN_FLIGHT = 32;
const COLLECTION = '/api/v1/namespaces/default/configmaps';

const variants = [];
for (const level of [undefined, 'Metadata', 'RequestResponse']) {
  const store = await Store.open('memory');
  const server = await Server.start(store, { flags: level === undefined ? [] : auditFlags(store.folder, level) });
  variants.push({ level, store, server, client: server.connect(), create: [], get: [] });
}
try {
  for (let round = 0; round <= Number(options.rounds); round++) {
    for (const variant of variants) await play(variant, round);
  }
  for (const { level = 'no audit', create, get } of variants) {
    print({
      figure: level,
      createCpuMicroseconds: Math.round(median(create)),
      getCpuMicroseconds: Math.round(median(get)),
    });
  }
} finally {
  for (const { client, server, store } of variants) {
    client.close();
    await server.stop();
    await store.close();
  }
}

/** The first round warms up and does not count. */
async function play({ server, client, create, get }, round) {
  const name = (index) => `bench-${round}-${index}`;
  const body = (index) => JSON.stringify({ metadata: { name: name(index) }, data: { a: 'b'.repeat(1000) } });
  const figures = [
    await cpuOf(server, (index) => client.send('POST', COLLECTION, body(index))),
    await cpuOf(server, (index) => client.send('GET', `${COLLECTION}/${name(index)}`)),
  ];
  if (round === 0) return;
  create.push(figures[0]);
  get.push(figures[1]);
}

async function cpuOf(server, request) {
  const { cpuSeconds } = await timed(server, () => inParallel(requests, IN_FLIGHT, request));
  return (cpuSeconds * 1e6) / requests;
}

function auditFlags(folder, level) {
  const policy = join(folder, 'policy.json');
  const rules = [{ level }];
  writeFileSync(
    policy,
    JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', omitStages: ['RequestReceived'], rules }),
  );
  return ['--audit-policy-file', policy, '--audit-log-path', join(folder, 'audit.log')];
}
