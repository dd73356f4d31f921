import assert from 'node:assert/strict';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { settle, VirtualClock } from '@binnacle/apimachinery/clock';
import { SpdyConnection } from '@binnacle/apimachinery/spdy';
import {
  COMMAND_CHANNELS,
  readStreamOptions,
  type RemoteStreams,
  spdyStreams,
  type StreamOptions,
  webSocketStreams,
} from './remote-streams.js';
import { connectedPair, openStream, StreamTrial } from './streams.testing.js';
import { WebSocketChannels, webSocketOn } from './websocket-channels.js';

const NONE: StreamOptions = { stdin: false, stdout: false, stderr: false, tty: false };
const ALL: StreamOptions = { stdin: true, stdout: true, stderr: true, tty: false };
const SUCCESS = { metadata: {}, status: 'Success' };

describe('readStreamOptions', () => {
  for (const [query, options] of [
    ['input=1&output=1&error=1', ALL],
    ['output=1', { ...NONE, stdout: true }],
    ['error=1', { ...NONE, stderr: true }],
    ['input=1&output=1&error=1&tty=1', { ...ALL, stderr: false, tty: true }],
    ['error=1&tty=1', undefined],
    ['tty=1', undefined],
    ['stdin=1&output=true', undefined],
    ['', undefined],
  ] as const) {
    it(`reads ${JSON.stringify(query)}`, () => {
      assert.deepEqual(readStreamOptions(new URLSearchParams(query)), options);
    });
  }
});

function spdy(options: StreamOptions) {
  const [near, far] = connectedPair();
  const clock = new VirtualClock();
  const stop = new AbortController();
  const created = spdyStreams(far, Buffer.alloc(0), options, { clock, signal: stop.signal });
  const connection = new SpdyConnection(near, { role: 'client' });
  return { clock, stop, created, connection, open: (type: string) => openStream(connection, type) };
}

async function read(input: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of input) pieces.push(piece);
  return String(Buffer.concat(pieces));
}

describe('spdyStreams', () => {
  it('resolves when all streams are open, and carries input, outputs and the ending', async () => {
    const { created, connection, open, clock } = spdy(ALL);
    const [error, stdin, stdout, stderr] = ['error', 'stdin', 'stdout', 'stderr'].map(open);
    assert.ok(error && stdin && stdout && stderr);
    const streams = await created;
    assert.ok(streams);
    assert.equal(clock.waiting, 0);
    // What a client sends in the other streams holds nothing up.
    for (const stream of [error, stdout, stderr]) stream.write(Buffer.alloc(300_000));
    stdin.end('typed');
    assert.equal(await read(streams.stdin), 'typed');
    await streams.stdout(Buffer.from('out'));
    await streams.stderr(Buffer.from('err'));
    await streams.finish(SUCCESS);
    assert.deepEqual(await Promise.all([text(stdout), text(stderr)]), ['out', 'err']);
    assert.deepEqual(JSON.parse(await text(error)), SUCCESS);
    await connection.closed;
    await settle();
    assert.equal(streams.gone.aborted, true);
  });

  it('needs the size of a terminal', async () => {
    const { created, connection, open } = spdy({ ...NONE, stdout: true, tty: true });
    let isCreated = false;
    void created.then(() => (isCreated = true));
    await Promise.all(['error', 'stdout'].map((type) => open(type).accepted));
    await settle();
    assert.equal(isCreated, false);
    open('resize').end('{"Width":80,"Height":25}');
    assert.ok(await created);
    connection.destroy();
  });

  it('has an empty input and drops an output that the client has not asked for', async () => {
    const { created, connection, open } = spdy({ ...NONE, stdout: true });
    const [, stdout] = ['error', 'stdout'].map(open);
    assert.ok(stdout);
    const streams = await created;
    assert.ok(streams);
    assert.equal(await read(streams.stdin), '');
    await streams.stderr(Buffer.from('dropped'));
    await streams.finish(SUCCESS);
    assert.equal(await text(stdout), '');
    connection.destroy();
  });

  it('refuses streams that it does not want, and a second one of a type', async () => {
    const { created, connection, open } = spdy({ ...NONE, stdout: true });
    await open('stdout').accepted;
    for (const type of ['stdout', 'stdin', 'resize', '']) {
      await assert.rejects(open(type).accepted, { name: 'SpdyError' }, type);
    }
    await assert.rejects(connection.open(new Map()).accepted, { name: 'SpdyError' });
    await open('error').accepted;
    assert.ok(await created);
    await assert.rejects(open('error').accepted, { name: 'SpdyError' });
    connection.destroy();
  });

  it('ends the connection when a stream has not come in 30 seconds', async () => {
    const { created, connection, open, clock } = spdy(ALL);
    await open('error').accepted;
    let isOver = false;
    void created.then(() => (isOver = true));
    await clock.advance(29_999);
    assert.equal(isOver, false);
    await clock.advance(1);
    assert.equal(await created, undefined);
    await connection.closed;
  });

  it('resolves to nothing when the client goes, or the nodes stop, before', async () => {
    const left = spdy(ALL);
    left.connection.destroy();
    assert.equal(await left.created, undefined);
    const stopped = spdy(ALL);
    await settle();
    stopped.stop.abort();
    assert.equal(await stopped.created, undefined);
    await stopped.connection.closed;
    assert.deepEqual([left.clock.waiting, stopped.clock.waiting], [0, 0]);
  });

  it('waits for a client that does not read, and no longer when it has gone', async () => {
    const { created, connection, open } = spdy({ ...NONE, stdout: true });
    for (const type of ['error', 'stdout']) open(type);
    const streams = await created;
    assert.ok(streams);
    let written = 0;
    const writing = (async () => {
      for (; written < 100; written++) await streams.stdout(Buffer.alloc(65_536));
    })();
    for (let turn = 0; turn < 50; turn++) await settle();
    assert.ok(written < 100, `${written} pieces`);
    connection.destroy();
    await writing;
    assert.deepEqual([written, streams.gone.aborted], [100, true]);
  });
});

async function webSocket(options: StreamOptions) {
  const created: RemoteStreams[] = [];
  const trial = new StreamTrial([], async (request, socket, head) => {
    const opened = webSocketOn(request, socket, head, { protocol: 'v5.channel.k8s.io', clock: trial.clock });
    created.push(await webSocketStreams(new WebSocketChannels(opened, COMMAND_CHANNELS), options));
  });
  const opened = await trial.webSocket('/', ['v5.channel.k8s.io']);
  await opened.served;
  const [streams] = created;
  assert.ok(streams);
  return { ...opened, streams };
}

describe('webSocketStreams', () => {
  it('carries input, outputs and the ending in channels', async () => {
    const { client, channels, streams } = await webSocket(ALL);
    for (const message of ['\u0000ty', '\u0004{"Width":80,"Height":25}', '\u0000ped'])
      client.send(Buffer.from(message));
    client.send(Buffer.from([255, 0]));
    assert.equal(await read(streams.stdin), 'typed');
    await streams.stdout(Buffer.from('out'));
    await streams.stderr(Buffer.from('err'));
    await streams.finish(SUCCESS);
    const [code] = (await once(client, 'close')) as [number];
    assert.equal(code, 1000);
    const [, stdout, stderr, error = ''] = channels;
    assert.deepEqual([stdout, stderr, JSON.parse(error)], ['out', 'err', SUCCESS]);
    assert.equal(streams.gone.aborted, true);
  });

  for (const [options, first] of [
    [ALL, 1],
    [{ ...NONE, stdin: true, stderr: true }, 2],
    [{ ...NONE, stdin: true }, 3],
  ] as const) {
    it(`notes the opening in channel ${first}`, async () => {
      const { client, channels, streams } = await webSocket(options);
      const closed = once(client, 'close');
      await streams.stdout(Buffer.alloc(0));
      client.close();
      await closed;
      assert.deepEqual(Object.keys(channels), [String(first)]);
      assert.equal(channels[first], '');
    });
  }

  it('drops input and outputs that the client has not asked for', async () => {
    const { client, channels, streams } = await webSocket({ ...NONE, stderr: true });
    client.send(Buffer.from('\u0000typed'));
    assert.equal(await read(streams.stdin), '');
    await streams.stdout(Buffer.from('dropped'));
    await streams.finish(SUCCESS);
    await once(client, 'close');
    assert.deepEqual(Object.keys(channels), ['2', '3']);
  });

  it('finishes when the client has gone', async () => {
    const { near, streams } = await webSocket(ALL);
    near.destroy();
    await once(streams.gone, 'abort');
    await streams.stdout(Buffer.from('late'));
    await streams.finish(SUCCESS);
    assert.equal(streams.gone.aborted, true);
  });
});
