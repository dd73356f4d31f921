/**
 * Get, list and watch in JSON and in protobuf, in turns within one run. The objects are typical pods. The server runs in its own process and stores them
 * as JSON. The client is `@binnacle/client` without compression.
 *
 * Figures for each request or watch event: CPU of the server, CPU of the client until it has objects, and bytes of the body.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { kindSchema } from '@binnacle/api/table';
import { connect, DynamicClient, jsonEncoding, loadConfig } from '@binnacle/client';
import { Pod } from '@binnacle/client/kinds/core/v1';
import { protobufEncoding } from '@binnacle/client/protobuf';
import { inParallel, print, timed } from '../support/figures.mjs';
import { podName, podOf, pods } from '../support/pods.mjs';
import { Server, Store } from '../support/server.mjs';

const { values: options } = parseArgs({
  options: {
    /** Comma-separated, ascending. */
    objects: { type: 'string', default: '1000,10000' },
    watchers: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '4' },
  },
});
const sizes = options.objects.split(',').map(Number);
const watchers = Number(options.watchers);
const rounds = Number(options.rounds);
const IN_FLIGHT = 64;
const GETS = 2000;
const EVENTS = 100;
/** The total of all lists of a turn. */
const LISTED_OBJECTS = 20_000;
const encodings = {
  json: { encoding: jsonEncoding, accept: 'application/json' },
  protobuf: { encoding: protobufEncoding(kindSchema), accept: 'application/vnd.kubernetes.protobuf' },
};

const store = await Store.open('memory');
const server = await Server.start(store);
process.env.KUBECONFIG = join(store.folder, 'kubeconfig');
const transport = connect(await loadConfig());
try {
  await measureAll();
} finally {
  await transport.close();
  await server.stop();
  await store.close();
}

/** Runs `run` with a new connection, since the server closes idle ones. */
async function writing(run) {
  const writer = server.connect();
  try {
    await run(writer);
  } finally {
    writer.close();
  }
}

async function measureAll() {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  await writing((writer) => writer.send('POST', accounts, JSON.stringify(account)));
  let created = 0;
  for (const size of sizes) {
    const first = created;
    await writing((writer) =>
      inParallel(size - first, IN_FLIGHT, (index) => writer.send('POST', pods, podOf(first + index))),
    );
    created = size;
    const get = ({ client }) => inParallel(GETS, IN_FLIGHT, (index) => client.get(podName(index % size)));
    if (first === 0) await compare('get', GETS, get);
    const lists = Math.ceil(LISTED_OBJECTS / size);
    await compare(`list of ${size}`, lists, ({ client }) => inParallel(lists, 1, () => client.list()));
    await compare(`list of ${size}, compressed`, lists, ({ accept, counter }) =>
      writing((reader) =>
        inParallel(lists, 1, async () => {
          const headers = { accept, 'accept-encoding': 'gzip' };
          counter.bytes += await reader.send('GET', pods, undefined, undefined, headers);
        }),
      ),
    );
  }
  await compare(`event of a watch, of ${watchers}, with its share of the writes`, watchers * EVENTS, watchAll);
}

/** Writes, and waits until all watches have received the events. */
async function watchAll({ client }) {
  const { resourceVersion } = (await client.list({ limit: 1 })).metadata;
  const watches = Array.from({ length: watchers }, () => client.watch({ resourceVersion }));
  const heard = watches.map(async (watch) => {
    let events = 0;
    for await (const { type } of watch) if (type === 'MODIFIED' && ++events === EVENTS) return;
    throw new Error(`a watch ended after ${events} of ${EVENTS} events`);
  });
  await writing((writer) =>
    inParallel(EVENTS, 1, (index) => {
      const body = JSON.stringify({ metadata: { annotations: { written: `${performance.now()}` } } });
      return writer.send('PATCH', `${pods}/${podName(index)}`, body, 'application/merge-patch+json');
    }),
  );
  await Promise.all(heard);
}

/** One line for each encoding. The first turn is a warm-up. */
async function compare(figure, requests, run) {
  const names = Object.keys(encodings);
  const sums = {};
  for (let round = 0; round <= rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const counter = { bytes: 0 };
      const { encoding, accept } = encodings[name];
      const client = new DynamicClient(counting(counter), { encoding }).resource(Pod).namespace('default');
      const cpu = process.cpuUsage();
      const { cpuSeconds, wallSeconds } = await timed(server, () => run({ client, accept, counter }));
      const { user, system } = process.cpuUsage(cpu);
      if (round === 0) continue;
      const sum = (sums[name] ??= { server: 0, client: 0, wall: 0, bytes: 0 });
      sum.server += cpuSeconds * 1e6;
      sum.client += user + system;
      sum.wall += wallSeconds * 1e6;
      sum.bytes += counter.bytes;
    }
  }
  for (const [encoding, { server: serverCpu, client, wall, bytes }] of Object.entries(sums)) {
    const each = (sum) => Math.round(sum / (rounds * requests));
    print({
      figure,
      encoding,
      serverCpuMicroseconds: each(serverCpu),
      clientCpuMicroseconds: each(client),
      wallMicroseconds: each(wall),
      bytes: each(bytes),
    });
  }
}

/** The transport without compression, and the bytes of its response bodies. */
function counting(counter) {
  async function* counted(body) {
    for await (const chunk of body) {
      counter.bytes += chunk.length;
      yield chunk;
    }
  }
  return {
    async send(request, sendOptions) {
      const headers = { 'accept-encoding': 'identity', ...request.headers };
      const response = await transport.send({ ...request, headers }, sendOptions);
      return { ...response, body: counted(response.body) };
    },
  };
}
