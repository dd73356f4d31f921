import assert from 'node:assert/strict';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { FORWARDING_PROTOCOL, ForwardedConnection } from './forwarded-connection.js';

const on = (channel: number, content: string | Buffer): Buffer =>
  Buffer.concat([Buffer.of(channel), Buffer.from(content)]);
const PORT_80 = Buffer.from([80, 0]);

describe('a connection that a kubelet forwards', () => {
  let server: WebSocketServer;
  before(async () => {
    server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
  });
  after(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });

  /** The connection, and the kubelet's side of it. */
  async function opened(): Promise<{ connection: ForwardedConnection; kubelet: WebSocket }> {
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    const accepted = new Promise<WebSocket>((resolve) => void server.once('connection', resolve));
    const webSocket = new WebSocket(`ws://127.0.0.1:${String(address.port)}`, FORWARDING_PROTOCOL);
    const connection = new ForwardedConnection(Promise.resolve(webSocket));
    return { connection, kubelet: await accepted };
  }

  it('passes bytes in both directions, and skips the numbers of the port', async () => {
    const { connection, kubelet } = await opened();
    kubelet.send(on(0, PORT_80.subarray(0, 1)));
    kubelet.send(on(0, Buffer.concat([PORT_80.subarray(1), Buffer.from('a')])));
    kubelet.send(on(1, PORT_80));
    kubelet.send(on(0, 'b'));
    kubelet.send(on(7, 'ignored'));
    const received = text(connection);
    connection.write('request');
    const sent = new Promise<Buffer>((resolve) => void kubelet.once('message', (data: Buffer) => resolve(data)));
    assert.equal((await sent).toString(), '\0request');
    kubelet.close();
    assert.equal(await received, 'ab');
  });

  it('ends with the error of the kubelet', async () => {
    const { connection, kubelet } = await opened();
    kubelet.send(on(1, PORT_80));
    kubelet.send(on(1, 'connection refused'));
    await assert.rejects(text(connection), /^Error: connection refused$/);
  });

  it('closes the WebSocket at its end', async () => {
    const { connection, kubelet } = await opened();
    connection.resume().end('last');
    const messages: string[] = [];
    kubelet.on('message', (data: Buffer) => messages.push(data.toString()));
    await once(kubelet, 'close');
    assert.deepEqual(messages, ['\0last']);
  });

  it('makes the kubelet wait while no one reads', async () => {
    const { connection, kubelet } = await opened();
    kubelet.send(on(0, PORT_80));
    const piece = on(0, 'x'.repeat(60_000));
    for (let count = 0; count < 500; count += 1) kubelet.send(piece);
    await once(connection, 'readable');
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(connection.readableLength < 1_000_000, `${String(connection.readableLength)} bytes wait`);
    kubelet.close();
    assert.equal((await text(connection)).length, 500 * 60_000);
  });

  it('fails when there is no WebSocket', async () => {
    const connection = new ForwardedConnection(Promise.resolve(new WebSocket('ws://127.0.0.1:1', FORWARDING_PROTOCOL)));
    await assert.rejects(text(connection), /ECONNREFUSED/);
  });
});
