import assert from 'node:assert/strict';
import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { settle, VirtualClock } from '@binnacle/apimachinery/clock';
import { connectedPair, StreamTrial } from './streams.testing.js';
import { negotiated, WebSocketChannels, webSocketOn } from './websocket-channels.js';

function messageWith(headers: Record<string, string>): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { method: 'GET', headers });
}

/** A client, and this many channels on the side of the server. */
async function connected(count: number) {
  const opened: WebSocketChannels[] = [];
  const trial = new StreamTrial([], async (request, socket, head) => {
    const webSocket = webSocketOn(request, socket, head, { protocol: 'v5.channel.k8s.io', clock: trial.clock });
    opened.push(new WebSocketChannels(webSocket, count));
  });
  const socket = await trial.webSocket('/', ['v5.channel.k8s.io']);
  await socket.served;
  const [server] = opened;
  assert.ok(server);
  return { ...socket, server };
}

describe('negotiated', () => {
  it('takes the first protocol of the server that the client offers', () => {
    const message = messageWith({ 'sec-websocket-protocol': 'v4.channel.k8s.io, v5.channel.k8s.io' });
    assert.equal(negotiated(message, ['v5.channel.k8s.io', 'v4.channel.k8s.io']), 'v5.channel.k8s.io');
    assert.equal(negotiated(message, ['v4.channel.k8s.io']), 'v4.channel.k8s.io');
  });

  it('refuses a client without a known protocol', () => {
    for (const [offered, listed] of [
      ['base64.channel.k8s.io', 'base64.channel.k8s.io'],
      ['a,b', 'a b'],
      ['', ''],
    ] as const) {
      assert.throws(() => negotiated(messageWith({ 'sec-websocket-protocol': offered }), ['v5.channel.k8s.io', 'x']), {
        name: 'Refusal',
        code: 400,
        message: `requested protocol(s) are not supported: [${listed}]; supports [v5.channel.k8s.io x]`,
      });
    }
    assert.throws(() => negotiated(messageWith({}), ['x']), { code: 400 });
  });
});

describe('webSocketOn', () => {
  it('refuses an invalid handshake', () => {
    const [, far] = connectedPair();
    const good = { 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
    for (const wrong of [{ 'sec-websocket-version': '8' }, { 'sec-websocket-key': 'short' }]) {
      const options = { protocol: 'v4.channel.k8s.io', clock: new VirtualClock() };
      const open = () => webSocketOn(messageWith({ ...good, ...wrong }), far, Buffer.alloc(0), options);
      assert.throws(open, { name: 'Refusal', code: 400, message: 'invalid WebSocket handshake' });
    }
  });
});

describe('WebSocketChannels', () => {
  it('passes the messages of each channel both ways', async () => {
    const { client, server, channels } = await connected(2);
    const [first, second] = server.channels;
    assert.ok(first && second);
    for (const message of ['\u0001b', '\u0000a', '\u0001c', '\u0000']) client.send(Buffer.from(message));
    first.write('to the client');
    second.end(' also');
    client.close();
    await once(client, 'close');
    assert.deepEqual(await Promise.all([text(first), text(second)]), ['a', 'bc']);
    assert.deepEqual(channels, ['to the client', ' also']);
  });

  it('ends one channel at the message of version 5, and keeps its output', async () => {
    const { client, server, channels } = await connected(2);
    const [first, second] = server.channels;
    assert.ok(first && second);
    client.send(Buffer.from('\u0000in'));
    client.send(Buffer.from([255, 0]));
    const received: string[] = [];
    first.on('data', (bytes: Buffer) => received.push(String(bytes)));
    await once(first, 'end');
    for (const message of ['\u0000late', '\u0001still']) client.send(Buffer.from(message));
    const [piece] = (await once(second, 'data')) as [Buffer];
    assert.deepEqual([...received, String(piece)], ['in', 'still']);
    first.write('out');
    await once(client, 'message');
    assert.deepEqual(channels, ['out']);
    client.terminate();
  });

  it('drops what follows the end of a channel that is not read yet', async () => {
    const { client, server } = await connected(1);
    const [channel] = server.channels;
    assert.ok(channel);
    for (const bytes of [
      [0, 65],
      [255, 0],
      [0, 66],
      [255, 0],
    ]) {
      client.send(Buffer.from(bytes));
    }
    client.close();
    await once(server.gone, 'abort');
    assert.equal(await text(channel), 'A');
  });

  it('ignores channels that do not exist', async () => {
    const { client, server } = await connected(1);
    const [channel] = server.channels;
    assert.ok(channel);
    for (const bytes of [[], [1, 65], [200, 65], [255, 9], [255], [255, 0, 0]]) client.send(Buffer.from(bytes));
    client.send(Buffer.from('\u0000a'));
    client.close();
    assert.equal(await text(channel), 'a');
    assert.equal(server.gone.aborted, true);
  });

  it('passes a message of any length on as it arrives', async () => {
    const { client, server } = await connected(1);
    client.send(Buffer.alloc(3 << 20));
    client.close();
    const [channel] = server.channels;
    assert.ok(channel);
    assert.equal((await text(channel)).length, (3 << 20) - 1);
  });

  it('reads nothing more while a channel is not read', async () => {
    const { client, server } = await connected(2);
    const [slow, other] = server.channels;
    assert.ok(slow && other);
    const received: string[] = [];
    other.on('data', (bytes: Buffer) => received.push(String(bytes)));
    const piece = Buffer.concat([Buffer.alloc(1), Buffer.alloc(50_000, 'x')]);
    for (let sent = 0; sent < 10; sent++) client.send(piece);
    client.send(Buffer.from('\u0001last'));
    for (let turn = 0; turn < 20; turn++) await settle();
    assert.deepEqual(received, []);
    assert.ok(slow.readableLength <= 100_000, `${slow.readableLength} bytes are held`);
    client.close();
    assert.equal((await text(slow)).length, 500_000);
    assert.deepEqual(received, ['last']);
  });

  it('ends its channels when the client goes, and drops what they write', async () => {
    const { near, server, channels } = await connected(1);
    const [channel] = server.channels;
    assert.ok(channel);
    near.destroy();
    assert.equal(await text(channel), '');
    assert.equal(server.gone.aborted, true);
    await new Promise((resolve) => channel.write('lost', resolve));
    assert.deepEqual(channels, []);
  });
});
