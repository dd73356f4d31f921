import assert from 'node:assert/strict';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { settle, VirtualClock } from '@binnacle/apimachinery/clock';
import { SpdyConnection } from '@binnacle/apimachinery/spdy';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { forwardChannels, forwardPorts, type PortForwardParts, portsIn } from './port-forward.js';
import { connectedPair, openStream, podOf, StreamTrial } from './streams.testing.js';
import { WebSocketChannels, webSocketOn } from './websocket-channels.js';

const REQUEST = 'GET /a HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
const SIMULATED = 'is simulated: Binnacle runs no program of img:1\n';

function forwarded(pod: Pod, parts: PortForwardParts = {}) {
  const [near, far] = connectedPair();
  const clock = new VirtualClock();
  const stop = new AbortController();
  const served = forwardPorts(pod, far, Buffer.alloc(0), { clock, signal: stop.signal, ...parts });
  const connection = new SpdyConnection(near, { role: 'client' });
  const open = (type: string, port: string, requestid = '0') => openStream(connection, type, { port, requestid });
  return { clock, stop, served, connection, open };
}

describe('forwardPorts', () => {
  for (const order of [
    ['data', 'error'],
    ['error', 'data'],
  ] as const) {
    it(`answers HTTP when ${order[0]} opens first`, async () => {
      const { open, connection, served } = forwarded(podOf('web'));
      const streams = new Map(order.map((type) => [type, open(type, '80')]));
      const [data, error] = [streams.get('data'), streams.get('error')];
      assert.ok(data && error);
      data.end(REQUEST);
      const [answer, failure] = await Promise.all([text(data), text(error)]);
      assert.match(answer, /^HTTP\/1\.1 200 OK\r\ncontent-type: text\/plain; charset=utf-8\r\n/);
      assert.ok(answer.endsWith(`GET /a\nPod n/web, port 80, ${SIMULATED}`), answer);
      assert.equal(failure, '');
      connection.destroy();
      await served;
    });
  }

  it('keeps connections apart by their request', async () => {
    const { open, connection } = forwarded(podOf('web', { ports: [{ containerPort: 80 }, { containerPort: 443 }] }));
    const errors = [open('error', '80', '0'), open('error', '443', '2')];
    const [second, first] = [open('data', '443', '2'), open('data', '80', '0')];
    for (const stream of [first, second]) stream.end(REQUEST);
    const answers = await Promise.all([text(first), text(second)]);
    assert.deepEqual(
      answers.map((answer) => /port \d+/.exec(answer)?.[0]),
      ['port 80', 'port 443'],
    );
    assert.deepEqual(await Promise.all(errors.map((error) => text(error))), ['', '']);
    connection.destroy();
  });

  it('refuses ports that the pod does not declare, and keeps the connection', async () => {
    const { open, connection, served } = forwarded(podOf('web'));
    for (const id of ['0', '1']) {
      const [error, data] = [open('error', '81', id), open('data', '81', id)];
      // No one reads it, and it holds nothing up.
      data.write(Buffer.alloc(300_000));
      assert.equal(
        await text(error),
        'error forwarding port 81 to pod uid-of-web: failed to connect to localhost:81 inside pod web_n: connection refused',
      );
      assert.equal(await text(data), '');
    }
    connection.destroy();
    await served;
  });

  it('reaches every port of a pod that declares none', async () => {
    const { open, connection } = forwarded(podOf('web', { ports: [] }));
    open('error', '8080').resume();
    const data = open('data', '8080');
    data.end(REQUEST);
    assert.ok((await text(data)).endsWith(`port 8080, ${SIMULATED}`));
    connection.destroy();
  });

  it('refuses streams of other types, or without a port', async () => {
    const { open, connection } = forwarded(podOf('web'));
    for (const [type, port] of [
      ['stdin', '80'],
      ['', '80'],
      ['data', ''],
      ['error', '123456'],
      ['data', '-1'],
    ] as const) {
      await assert.rejects(open(type, port).accepted, { name: 'SpdyError' }, `${type} ${port}`);
    }
    connection.destroy();
  });

  it('answers for a pod of which little is known, and pairs streams without a request', async () => {
    const { connection } = forwarded({ apiVersion: 'v1', kind: 'Pod', metadata: {} });
    const [error, data] = ['error', 'data'].map((type) => openStream(connection, type, { port: 80 }));
    assert.ok(error && data);
    error.resume();
    data.end(REQUEST);
    assert.match(await text(data), /\nPod \/, port 80, is simulated: Binnacle runs no program of \n$/);
    connection.destroy();
  });

  it('waits for the other stream when the client opens one twice', async () => {
    const { open, connection } = forwarded(podOf('web'));
    open('data', '80').resume();
    const data = open('data', '80');
    data.end(REQUEST);
    await data.accepted;
    open('error', '80').resume();
    assert.ok((await text(data)).endsWith(SIMULATED));
    connection.destroy();
  });

  it('resets a stream whose partner has not come in 30 seconds', async () => {
    const { open, connection, clock, served } = forwarded(podOf('web'));
    const early = open('data', '80', '0');
    await early.accepted;
    await clock.advance(10_000);
    const late = open('error', '80', '1');
    await late.accepted;
    await clock.advance(20_000);
    assert.equal(await text(early), '');
    assert.equal(late.isReceiving, true);
    // A partner within its time still makes a connection.
    const data = open('data', '80', '1');
    data.end(REQUEST);
    assert.ok((await text(data)).endsWith(SIMULATED));
    connection.destroy();
    await served;
    assert.equal(clock.waiting, 0);
  });

  it('keeps a connection that is idle for longer', async () => {
    const { open, connection, clock } = forwarded(podOf('web'));
    const [data, error] = [open('data', '80'), open('error', '80')];
    error.resume();
    await Promise.all([data.accepted, error.accepted]);
    await clock.advance(90_000);
    data.end(REQUEST);
    assert.ok((await text(data)).endsWith(SIMULATED));
    connection.destroy();
  });

  it('ends when the nodes stop', async () => {
    const { open, connection, stop, served, clock } = forwarded(podOf('web'));
    await open('data', '80').accepted;
    stop.abort();
    await Promise.all([served, connection.closed]);
    assert.equal(clock.waiting, 0);
  });
});

describe('a port of a process', () => {
  const processes = { has: () => true, find: () => undefined, addressOf: () => '127.250.0.2' };

  function opened() {
    const [near, far] = connectedPair();
    const asked: string[] = [];
    const connectTo: PortForwardParts['connectTo'] = ({ host, port }) => {
      asked.push(`${host}:${port}`);
      return near;
    };
    // The pod declares port 80 alone, which says nothing about what its process does.
    const { open, connection } = forwarded(podOf('web'), { processes, connectTo });
    const [error, data] = [open('error', '81'), open('data', '81')];
    return { near, far, asked, error, data, connection };
  }

  it('is reached at the address of its pod', async () => {
    const { near, far, asked, error, data, connection } = opened();
    data.end('question');
    await data.accepted;
    near.emit('connect');
    const [question] = (await once(far, 'data')) as [Buffer];
    assert.equal(String(question), 'question');
    far.end('answer');
    assert.deepEqual([await text(data), await text(error), asked], ['answer', '', ['127.250.0.2:81']]);
    connection.destroy();
  });

  it('is refused when no one listens', async () => {
    const { near, error, data, connection } = opened();
    await data.accepted;
    near.destroy(new Error('connect ECONNREFUSED 127.250.0.2:81'));
    assert.match(await text(error), / inside pod web_n: connect ECONNREFUSED 127\.250\.0\.2:81$/);
    assert.equal(await text(data), '');
    connection.destroy();
  });

  it('ends with its connection', async () => {
    const { near, error, data, connection } = opened();
    await data.accepted;
    near.emit('connect');
    near.destroy(new Error('read ECONNRESET'));
    assert.deepEqual([await text(error), await text(data)], ['', '']);
    connection.destroy();
  });
});

describe('portsIn', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
  for (const [query, ports] of [
    ['port=80', [80]],
    ['port=80,81&port=65535', [80, 81, 65_535]],
    ['', undefined],
    ['port=', undefined],
    ['port=0', undefined],
    ['port=65536', undefined],
    ['port=80,http', undefined],
    ['port=80,', undefined],
    [`port=${hundred.join(',')}`, hundred],
    [`port=${hundred.join(',')}&port=101`, undefined],
  ] as const) {
    it(`reads ${query.slice(0, 30)} (${query.length})`, () => {
      assert.deepEqual(portsIn(new URLSearchParams(query)), ports);
    });
  }
});

describe('forwardChannels', () => {
  const forward = (ports: readonly number[], ready = async (_: WebSocketChannels): Promise<unknown> => undefined) =>
    new StreamTrial([], async (request, socket, head) => {
      const options = { protocol: 'v4.channel.k8s.io', clock: new VirtualClock() };
      const webSocket = webSocketOn(request, socket, head, options);
      const channels = new WebSocketChannels(webSocket, 2 * ports.length);
      await ready(channels);
      await forwardChannels(podOf('web'), ports, channels);
    }).webSocket('/');

  it('begins both channels of a port with its number, and answers or refuses', async () => {
    const { client, channels, served } = await forward([80, 0x51_50]);
    client.on('message', () => {
      if (channels[0]?.includes(SIMULATED) === true) client.close();
    });
    client.send(Buffer.from(`\u0000${REQUEST}`));
    await Promise.all([served, once(client, 'close')]);
    const [data = '', error, otherData, otherError = ''] = channels;
    assert.match(data, /^P\u0000HTTP\/1\.1 200 OK\r\n/);
    assert.deepEqual([error, otherData], ['P\u0000', 'PQ']);
    assert.match(otherError, /^PQerror forwarding port 20816 to pod uid-of-web: .* pod web_n: connection refused$/);
  });

  it('ends when the client goes without a goodbye', async () => {
    const { client, near, served } = await forward([80]);
    await settle();
    near.destroy();
    await served;
    client.terminate();
  });

  it('ends for a client that has gone before', async () => {
    const { client, near, channels, served } = await forward([80], ({ gone }) => once(gone, 'abort'));
    near.destroy();
    await served;
    assert.deepEqual(channels, []);
    client.terminate();
  });
});
