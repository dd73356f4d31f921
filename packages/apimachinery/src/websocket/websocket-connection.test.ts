import assert from 'node:assert/strict';
import { type Duplex, duplexPair } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { settle } from '../clock/index.js';
import { frame } from './client.testing.js';
import { BINARY, CLOSE, CONTINUATION, closeFrame, frameHead, PING, PONG, PROTOCOL_ERROR } from './frames.js';
import { WebSocketConnection } from './websocket-connection.js';

const MEGABYTE = 1024 * 1024;

function connected(head: Buffer = Buffer.alloc(0)) {
  const [client, socket] = duplexPair();
  const closings: string[] = [];
  const connection = new WebSocketConnection(socket, { head, onClosing: () => void closings.push('closing') });
  return { client, socket, connection, closings };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await settle();
}

/** Bytes that wait in a pair of streams. */
function waiting({ client, socket }: { readonly client: Duplex; readonly socket: Duplex }): number {
  return client.writableLength + socket.readableLength;
}

async function allOf(connection: WebSocketConnection): Promise<string> {
  let text = '';
  for await (const { bytes, isFirst, isLast } of connection)
    text += `${isFirst ? '[' : ''}${String(bytes)}${isLast ? ']' : ''}`;
  return text;
}

describe('WebSocketConnection', () => {
  it('reads messages, beginning with bytes behind the handshake, and closes when the client does', async () => {
    const first = frame(BINARY, 'one');
    const { client, connection, closings } = connected(first.subarray(0, 4));
    client.write(first.subarray(4));
    client.write(frame(BINARY, 'two'));
    client.write(frame(CLOSE, Buffer.from([0x03, 0xe9])));
    const received = buffer(client);
    assert.equal(await allOf(connection), '[one][two]');
    assert.deepEqual(await received, closeFrame(1001));
    assert.deepEqual(closings, ['closing']);
    assert.equal(await connection.send('late'), false);
  });

  it('reads what has arrived when the client has gone', async () => {
    const { client, connection } = connected();
    client.end(Buffer.concat([frame(BINARY, 'one'), frame(BINARY, 'two').subarray(0, 8)]));
    client.resume();
    assert.equal(await allOf(connection), '[one][tw');
  });

  it('holds one chunk of a message without an end, and of messages that no one reads', async () => {
    for (const bytes of [
      frame(BINARY, Buffer.alloc(MEGABYTE), false),
      Buffer.concat(Array.from({ length: 64 }, () => frame(BINARY, Buffer.alloc(16_384)))),
      Buffer.concat([
        frame(BINARY, 'ab', false),
        ...Array.from({ length: 99_999 }, () => frame(CONTINUATION, 'c', false)),
      ]),
    ]) {
      const { client, socket, connection } = connected();
      const parts = connection[Symbol.asyncIterator]();
      for (let from = 0; from < bytes.length; from += 10_000) client.write(bytes.subarray(from, from + 10_000));
      assert.equal((await parts.next()).done, false);
      await settled();
      const read = bytes.length - waiting({ client, socket });
      assert.ok(read <= 20_000, `${read} bytes were read`);
      connection.destroy();
    }
  });

  it('sends messages of every length, and pongs only while the client reads', async () => {
    const { client, connection } = connected();
    const parts = allOf(connection);
    assert.equal(await connection.send('text'), true);
    const texts = [Buffer.from('text'), Buffer.alloc(200, 'a'), Buffer.alloc(70_000, 'b')];
    const sent = Promise.all(texts.slice(1).map((bytes) => connection.send(bytes)));
    for (let count = 0; count < 1000; count++) client.write(frame(PING, 'p'.repeat(100)));
    await settled();
    client.write(frame(CLOSE, ''));
    const received = await buffer(client);
    await Promise.all([sent, parts]);
    const heads = [0x81, 0x82, 0x82].map((flags, index) => {
      const head = frameHead(BINARY, texts[index]?.length ?? 0);
      head[0] = flags;
      return head;
    });
    const messages = Buffer.concat(texts.flatMap((bytes, index) => [heads[index] ?? bytes, bytes]));
    assert.deepEqual(received.subarray(0, messages.length), messages);
    const pongs = (received.length - messages.length - 4) / (frameHead(PONG, 100).length + 100);
    assert.ok(pongs < 1000, `${pongs} pongs`);
  });

  it('says goodbye behind what it sent, drops what still arrives, and then sees the goodbye of the client', async () => {
    const { client, socket, connection } = connected();
    const parts = allOf(connection);
    void connection.send(Buffer.from('a'));
    connection.close();
    client.write(frame(BINARY, 'x'.repeat(MEGABYTE)));
    client.write(frame(CLOSE, ''));
    assert.deepEqual(await buffer(client), Buffer.concat([frameHead(BINARY, 1), Buffer.from('a'), closeFrame(1000)]));
    assert.equal(await parts, '');
    assert.equal(socket.writableEnded, true);
  });

  it('ends at a frame that breaks the protocol', async () => {
    const { client, connection, closings } = connected();
    client.write(Buffer.concat([frame(BINARY, 'ok'), frame(CONTINUATION, 'bad'), frame(BINARY, 'late')]));
    assert.equal(await allOf(connection), '[ok]');
    assert.deepEqual(await buffer(client), closeFrame(PROTOCOL_ERROR));
    assert.deepEqual(closings, ['closing']);
  });

  it('ends its parts when it is destroyed', async () => {
    const { client, connection } = connected();
    const parts = allOf(connection);
    connection.destroy();
    assert.equal(await parts, '');
    await connection.closed;
    assert.equal(await connection.send('late'), false);
    client.destroy();
  });
});
