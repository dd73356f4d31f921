import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, it } from 'node:test';
import { startCluster } from './cluster.mjs';

const { WebSocket } = createRequire(import.meta.url)('ws');

const MIB = 1024 * 1024;
const POD = '/api/v1/namespaces/default/pods/p';
/** What sockets, TLS, SPDY and the WebSocket hold on the way. */
const MOST_HELD = 24 * MIB;
const OUTPUT = 64 * MIB;

let cluster;
before(async () => {
  cluster = await startCluster({ logs: () => ({ pieces: ['ä line\n'] }) });
});
after(() => cluster?.stop());

/** Opens a WebSocket; `messages` grows as they arrive. */
async function open(path, protocols, options = {}) {
  const { url, clientConfig } = cluster.server;
  const socket = new WebSocket(`${url.replace('https', 'wss')}${path}`, protocols, {
    ca: clientConfig.certificateAuthority,
    headers: { authorization: `Bearer ${clientConfig.token}`, ...options.headers },
  });
  const messages = [];
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('message', (data, isBinary) => messages.push({ data, isBinary }));
  socket.on('error', () => undefined);
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('unexpected-response', (_request, response) => {
      reject(Object.assign(new Error('refused'), { status: response.statusCode }));
      socket.terminate();
    });
  });
  return { socket, messages, closed };
}

const exec = (...command) => {
  const query = new URLSearchParams([
    ...command.map((word) => ['command', word]),
    ['stdin', 'true'],
    ['stdout', 'true'],
  ]);
  return `${POD}/exec?${query}`;
};
const inChannel = (messages, channel) =>
  Buffer.concat(messages.filter(({ data }) => data[0] === channel).map(({ data }) => data.subarray(1))).toString();

it('a command gets its input and the end of it', async () => {
  const { socket, messages, closed } = await open(exec('cat'), ['v5.channel.k8s.io']);
  assert.equal(socket.protocol, 'v5.channel.k8s.io');
  socket.send(Buffer.concat([Buffer.from([0]), Buffer.from('typed')]));
  socket.send(Buffer.from([255, 0]));
  assert.equal(await closed, 1000);
  assert.equal(inChannel(messages, 1), 'typed');
  assert.equal(inChannel(messages, 3), '{"metadata":{},"status":"Success"}');
});

it('a log comes as bytes, or in base64', async () => {
  for (const [protocols, decode, isBinary] of [
    [[], (data) => data, true],
    [['binary.k8s.io'], (data) => data, true],
    [['base64.binary.k8s.io'], (data) => Buffer.from(String(data), 'base64'), false],
  ]) {
    const { messages, closed } = await open(`${POD}/log`, protocols);
    await closed;
    assert.equal(Buffer.concat(messages.map(({ data }) => decode(data))).toString(), 'ä line\n');
    assert.ok(messages.every((message) => message.isBinary === isBinary));
  }
  await assert.rejects(open(`${POD}/log`, ['x.k8s.io']), { status: 403 });
});

it('a client that does not read stops the command, with bounded memory', async () => {
  const { socket, messages, closed } = await open(exec('head', '-c', String(OUTPUT), '/dev/zero'), [
    'v5.channel.k8s.io',
  ]);
  socket.pause();
  const sent = () => cluster.kubelet.bytesWritten();
  const held = await settled(sent);
  assert.ok(held < MOST_HELD, `${held} bytes are on the way`);
  socket.resume();
  await closed;
  const received = messages.filter(({ data }) => data[0] === 1).reduce((sum, { data }) => sum + data.length - 1, 0);
  assert.equal(received, OUTPUT);
});

it('the kubelet learns that the client has left', async () => {
  const { socket, messages } = await open(exec('cat'), ['v5.channel.k8s.io']);
  socket.send(Buffer.from([0, 65]));
  while (inChannel(messages, 1) !== 'A') await new Promise((resolve) => socket.once('message', resolve));
  const [connection] = [...cluster.kubelet.connections].slice(-1);
  socket.terminate();
  await connection.closed;
});

it('errors of the kubelet reach the client as a Status', async () => {
  const { messages, closed } = await open(exec('refuse-the-upgrade'), ['v5.channel.k8s.io']);
  await closed;
  const { message } = JSON.parse(inChannel(messages, 3));
  assert.equal(message, 'Internal error occurred: unable to upgrade connection: not today');
});

it('a kubelet that speaks WebSocket gets the request as it is, without credentials', async () => {
  await cluster.must('PATCH', '/api/v1/nodes/n/status', {
    status: { declaredFeatures: ['ExtendWebSocketsToKubelet'] },
  });
  await assert.rejects(open(exec('refuse-the-upgrade'), ['v5.channel.k8s.io']), { status: 403 });
  const { headers, method, user } = cluster.kubelet.requests.at(-1);
  assert.deepEqual(
    [method, headers.upgrade, headers['sec-websocket-protocol'], headers.authorization, user],
    ['GET', 'websocket', 'v5.channel.k8s.io', undefined, 'kube-apiserver-kubelet-client'],
  );
  await cluster.must('PATCH', '/api/v1/nodes/n/status', { status: { declaredFeatures: null } });
});

it('a request that is not an upgrade is refused', async () => {
  const { status, text } = await cluster.send('POST', `${POD}/exec?command=ls&stdout=true`);
  assert.deepEqual([status, JSON.parse(text).message], [400, 'Upgrade request required']);
});

/** The number, once it no longer changes. */
async function settled(count) {
  for (let last = -1; ; ) {
    const now = count();
    if (now === last && now > 0) return now;
    last = now;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}
