import assert from 'node:assert/strict';
import { duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { withoutTurns } from '../turns/index.js';
import { pingFrame } from './frames.js';
import { SpdyConnection } from './spdy-connection.js';
import type { SpdyStream } from './spdy-stream.js';

type OnStream = (stream: SpdyStream) => void;

function connect(onStream: OnStream, maxStreams = 10) {
  const [clientSide, serverSide] = duplexPair();
  const server = new SpdyConnection(serverSide, { role: 'server', onStream, maxStreams });
  const client = new SpdyConnection(clientSide, { role: 'client' });
  return { client, server, clientSide, serverSide };
}

const echo: OnStream = (stream) => {
  stream.accept();
  stream.pipe(stream);
};

describe('SpdyConnection', () => {
  // A turn may be over because of earlier tests.
  let turns: Disposable;
  beforeEach(() => (turns = withoutTurns()));
  afterEach(() => turns[Symbol.dispose]());

  it('opens streams with headers, and passes bytes and ends both ways', async () => {
    const seen: object[] = [];
    const { client } = connect((stream) => {
      seen.push(Object.fromEntries(stream.headers));
      echo(stream);
    });
    const streams = ['a', 'b'].map((name) => ({ name, stream: client.open(new Map([['streamType', name]])) }));
    for (const { name, stream } of streams) {
      stream.end(name.repeat(100_000));
      await stream.accepted;
      assert.equal(await text(stream), name.repeat(100_000));
    }
    assert.deepEqual(seen, [{ streamtype: 'a' }, { streamtype: 'b' }]);
    await setImmediate();
    assert.equal(client.streamCount, 0);
  });

  it('holds what is written until the peer accepts', async () => {
    const opened: SpdyStream[] = [];
    const { client } = connect((stream) => opened.push(stream));
    const stream = client.open(new Map());
    stream.write('early');
    await setImmediate();
    assert.equal(opened[0]?.readableLength, 0);
    opened[0]?.accept();
    await stream.accepted;
    await setImmediate();
    assert.equal(String(opened[0]?.read()), 'early');
  });

  it('refuses streams that `onStream` refuses, those without an `onStream`, and those above the limit', async () => {
    const refusing = connect((stream) => stream.refuse());
    await assert.rejects(refusing.client.open(new Map()).accepted, { name: 'SpdyError' });
    const { client, server } = connect((stream) => stream.accept(), 1);
    await client.open(new Map()).accepted;
    await assert.rejects(client.open(new Map()).accepted, { name: 'SpdyError' });
    await assert.rejects(server.open(new Map()).accepted, { name: 'SpdyError' });
  });

  it('opens the streams of one read in several turns, and misses none before the end', async (context) => {
    const opened: number[] = [];
    const bytes: Buffer[] = [];
    const recorded = duplexPair();
    recorded[1].on('data', (chunk: Buffer) => bytes.push(chunk));
    const peer = new SpdyConnection(recorded[0], { role: 'client' });
    for (let index = 0; index < 20; index++) peer.open(new Map([['port', String(index)]])).on('error', () => undefined);
    await setImmediate();
    turns[Symbol.dispose]();
    let time = 0;
    context.mock.method(performance, 'now', () => time);
    const [clientSide, serverSide] = duplexPair();
    const { closed } = new SpdyConnection(serverSide, {
      role: 'server',
      onStream: (stream) => {
        opened.push(stream.id);
        time++;
        stream.refuse();
      },
    });
    const seenByOthers = new Set<number>();
    clientSide.resume();
    clientSide.end(Buffer.concat(bytes));
    while (opened.length < 20) {
      seenByOthers.add(opened.length);
      await setImmediate();
    }
    assert.ok(seenByOthers.size > 3, `others saw ${[...seenByOthers].join(', ')} streams`);
    await closed;
    assert.equal(opened.length, 20);
  });

  it('stops reading while a stream is not read, with a bounded buffer', async () => {
    const opened: SpdyStream[] = [];
    const { client, serverSide } = connect((stream) => {
      stream.accept();
      opened.push(stream);
    });
    const stream = client.open(new Map());
    let sent = 0;
    while (sent < 100) {
      if (!stream.write(Buffer.alloc(32_768))) await Promise.race([once(stream, 'drain'), idle()]);
      sent++;
      if (serverSide.isPaused()) break;
    }
    assert.ok(serverSide.isPaused());
    assert.ok((opened[0]?.readableLength ?? 0) <= 2 * 65_536);
    stream.end();
    let received = 0;
    for await (const chunk of opened[0] ?? []) received += (chunk as Buffer).length;
    assert.equal(received, sent * 32_768);
  });

  it('keeps what arrived before a reset readable', async () => {
    const { client } = connect((stream) => {
      stream.accept();
      stream.write('last words', () => stream.destroy());
    });
    assert.equal(await text(client.open(new Map())), 'last words');
  });

  it('ends the streams of both sides when it closes, after what was written', async () => {
    const { client, server } = connect((stream) => {
      stream.accept();
      stream.write('x'.repeat(200_000));
      void server.close();
    });
    const stream = client.open(new Map());
    assert.equal((await text(stream)).length, 200_000);
    await Promise.all([client.closed, server.closed]);
    assert.throws(() => client.open(new Map()), { name: 'SpdyError' });
    stream.write('dropped');
    await setImmediate();
    assert.ok(stream.destroyed);
  });

  it('ends the streams when the socket closes', async () => {
    const { client, clientSide } = connect((stream) => stream.accept());
    const stream = client.open(new Map());
    await stream.accepted;
    clientSide.destroy();
    assert.equal(await text(stream), '');
    await client.closed;
  });

  it('answers pings of the peer', async () => {
    const [far, near] = duplexPair();
    new SpdyConnection(near, { role: 'server' }).ping();
    far.write(Buffer.concat([pingFrame(1), pingFrame(2)]));
    await setImmediate();
    await setImmediate();
    assert.deepEqual(far.read(), Buffer.concat([pingFrame(2), pingFrame(1)]));
  });

  it('is over when the peer breaks the protocol', async () => {
    const { server, clientSide } = connect(echo);
    clientSide.write(Buffer.alloc(8, 0xff));
    await server.closed;
  });
});

function once(stream: SpdyStream, event: string): Promise<void> {
  return new Promise((resolve) => stream.once(event, () => resolve()));
}

async function idle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await setImmediate();
}
