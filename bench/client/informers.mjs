/**
 * The cost of informers for a client: time and CPU until all have synced, and retained memory. Three programs run one after the other against one
 * server, each in its own process: this client with separate informers, this client with one informer that as many handlers share (as its factory
 * does), and `@kubernetes/client-node`.
 *
 * Figures are medians of the rounds. `retainedMegabytes` is heap and buffers after garbage collection, minus those before the informers.
 * `peakMegabytes` is the maximum resident memory, the program included.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { inParallel, print, timed, toDigits } from '../support/figures.mjs';
import { collection, objectsOf } from '../support/objects.mjs';
import { root, Server, Store } from '../support/server.mjs';

const { values: options } = parseArgs({
  options: {
    objects: { type: 'string', default: '10000' },
    kilobytes: { type: 'string', default: '2' },
    informers: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
  },
});
const IN_FLIGHT = 64;
const CLIENTS = ['binnacle', 'binnacle-shared', 'client-node'];

const store = await Store.open('memory');
const server = await Server.start(store);
try {
  await load();
  const rounds = new Map(CLIENTS.map((client) => [client, []]));
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const client of CLIENTS) rounds.get(client).push(await run(client));
  }
  for (const [client, results] of rounds) report(client, results);
} finally {
  await server.stop();
  await store.close();
}

async function load() {
  const client = server.connect();
  const object = objectsOf(Number(options.kilobytes));
  await inParallel(Number(options.objects), IN_FLIGHT, (index) => client.send('POST', collection, object(index, 0)));
  // Fills the server's cache before the measurement.
  const bytes = await client.send('GET', collection);
  client.close();
  print({ figure: 'list', objects: Number(options.objects), megabytes: toDigits(bytes / 2 ** 20, 1) });
}

async function run(client) {
  const program = join(root, 'bench/client/run-informers.mjs');
  const { result, cpuSeconds } = await timed(server, () =>
    promisify(execFile)(process.execPath, ['--expose-gc', program, client, options.objects, options.informers], {
      env: { ...process.env, KUBECONFIG: join(store.folder, 'kubeconfig') },
    }),
  );
  return { ...JSON.parse(result.stdout), serverCpuMilliseconds: Math.round(cpuSeconds * 1000) };
}

function report(client, results) {
  const figures = Object.keys(results[0]).map((name) => [name, median(results.map((result) => result[name]))]);
  print({ figure: 'informers', client, informers: Number(options.informers), ...Object.fromEntries(figures) });
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
