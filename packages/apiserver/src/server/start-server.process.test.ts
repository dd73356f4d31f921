import { KVError } from '@binnacle/kv';
import { openMemoryKV } from '@binnacle/kv/memory';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:https';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { settle } from '@binnacle/apimachinery/clock';
import { makeTestCertificate, withMethods } from '../testing/index.js';
import type { ServerOptions } from './options.js';
import { startServer } from './start-server.js';

function options(): Omit<ServerOptions, 'kv'> {
  const { certificate, privateKey } = makeTestCertificate('/CN=server');
  return {
    bindAddress: '127.0.0.1',
    securePort: 0,
    tls: { certificate, privateKey, clientCertificateAuthorities: [] },
    tokens: [],
    serviceAccounts: { keys: () => Promise.reject(new Error('no token is needed')), issuers: ['https://issuer'] },
    serviceClusterIpRange: '10.0.0.0/24',
  };
}

test('a store that accepts no writes is logged when the server starts', async () => {
  await using kv = openMemoryKV();
  const lines: unknown[] = [];
  const server = await startServer({
    ...options(),
    kv: withMethods(kv, { checkHealth: () => Promise.reject(new KVError('corrupt', 'the store is damaged')) }),
    report: (error, path) => lines.push([path, error]),
  });
  await server.stop();
  assert.deepEqual(lines, [['storage', 'the store is damaged']]);
});

test('a start that fails withdraws the announcement to other servers', async () => {
  await using kv = openMemoryKV();
  const writes: string[] = [];
  let isReady = false;
  const failing = withMethods(kv, {
    requestProgress: () => true,
    checkHealth: async () => {
      isReady = true;
    },
    currentRevision: async () => {
      if (isReady) throw new KVError('unavailable', 'the store has gone');
      return kv.currentRevision();
    },
    txn: (request) => {
      if (request.key.startsWith('/registry/masterleases/')) writes.push(request.operation.type);
      return kv.txn(request);
    },
  });
  const starting = startServer({
    ...options(),
    kv: failing,
    advertiseAddress: '192.0.2.1',
    report: () => undefined,
  });
  await assert.rejects(starting);
  await settle();
  assert.deepEqual(writes, ['put', 'delete']);
});

test('a stop ends the forks while the requests of the server end', { timeout: 600_000 }, async () => {
  await using kv = openMemoryKV();
  const notes: string[] = [];
  let portCloses = (): void => undefined;
  const stop = async (): Promise<void> => {
    await new Promise<void>((resolve) => {
      portCloses = resolve;
    });
    notes.push('the fork ends');
  };
  const startFork = () => Promise.resolve({ url: 'https://fork', kubeconfig: '', stop });
  const server = await startServer({ ...options(), kv, startFork });
  const user = { name: 'root', uid: '', groups: ['system:masters'], extra: {} };
  const made = await server.send({ user, method: 'POST', path: '/binnacle/v1/forks' });
  assert.equal(made.status, 201);
  for await (const _ of made.body) continue;
  // Its TLS handshake never comes, so its connection lasts until the port closes.
  const waiting = connect(server.port, '127.0.0.1').on('close', () => portCloses());
  await once(waiting, 'connect');
  await server.stop();
  assert.deepEqual(notes, ['the fork ends']);
});

test('a server is not live before its start has ended, except during the grace period', {
  timeout: 600_000,
}, async () => {
  for (const [livezGraceMs, livez] of [
    [0, 500],
    [3_600_000, 200],
  ] as const) {
    await using kv = openMemoryKV();
    let proceed = (): void => undefined;
    const held = new Promise<void>((resolve) => (proceed = resolve));
    const slow = withMethods(kv, {
      range: async (range) => {
        if (range.prefix === '/registry/clusterroles/') await held;
        return kv.range(range);
      },
    });
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const open = (take: (socket: Socket) => void): (() => void) => {
      listener.on('connection', take);
      return () => listener.close();
    };
    const user = { name: 'root', uid: '', groups: ['system:masters'], extra: {} };
    const tokens = [{ token: 'root', user }];
    const starting = startServer({ ...options(), kv: slow, tokens, connections: { open }, livezGraceMs });
    const { port } = listener.address() as AddressInfo;
    const hook = 'poststarthook/bootstrap-controller';
    const statuses = (): Promise<unknown> =>
      Promise.all(['/livez', `/livez/${hook}`, `/readyz/${hook}`].map((path) => statusOf(port, path)));
    assert.deepEqual(await statuses(), [livez, livez, 500]);
    proceed();
    const server = await starting;
    assert.deepEqual(await statuses(), [200, 200, 200]);
    await server.stop();
  }
});

function statusOf(port: number, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: 'Bearer root' };
    const sent = request(
      { host: '127.0.0.1', port, path, headers, rejectUnauthorized: false, agent: false },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      },
    );
    sent.on('error', reject).end();
  });
}
