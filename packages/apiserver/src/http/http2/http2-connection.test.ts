import assert from 'node:assert/strict';
import { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { defaultLimits, type HttpLimits } from '../limits.js';
import {
  ACK,
  CONTINUATION,
  DATA,
  type Frame,
  frameHead,
  frameOf,
  GOAWAY,
  HEADERS,
  PING,
  PRIORITY,
  PUSH_PROMISE,
  RST_STREAM,
  SETTINGS,
  settingsFrame,
  WINDOW_UPDATE,
} from './frames.js';
import { Http2Connection } from './http2-connection.js';
import type { Http2Stream } from './http2-stream.js';

const names: Readonly<Record<number, string>> = {
  [DATA]: 'DATA',
  [HEADERS]: 'HEADERS',
  [RST_STREAM]: 'RST_STREAM',
  [SETTINGS]: 'SETTINGS',
  [PING]: 'PING',
  [GOAWAY]: 'GOAWAY',
  [WINDOW_UPDATE]: 'WINDOW_UPDATE',
};

function frame(type: number, flags: number, streamId: number, payload: Buffer | string = ''): Buffer {
  const bytes = Buffer.from(payload);
  return Buffer.concat([frameHead(bytes.length, type, flags, streamId), bytes]);
}

function field(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.of(0, name.length), Buffer.from(name), Buffer.of(value.length), Buffer.from(value)]);
}

function request(streamId: number, flags = 5, method = 'GET', more: readonly Buffer[] = []): Buffer {
  const block = [field(':method', method), field(':path', '/'), field(':scheme', 'https'), ...more];
  return frame(HEADERS, flags, streamId, Buffer.concat(block));
}

/** The server's end of a connection. Keeps what the server writes. */
class Wire extends Duplex {
  #sent: Buffer = Buffer.alloc(0);
  #held: (() => void) | undefined;
  isHeld = false;
  hasEnded = false;

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#sent = Buffer.concat([this.#sent, chunk]);
    if (this.isHeld) this.#held = done;
    else done();
  }

  override _final(done: () => void): void {
    this.hasEnded = true;
    done();
  }

  release(): void {
    this.isHeld = false;
    this.#held?.();
  }

  /** The frames since the last call. */
  takeFrames(): Frame[] {
    const frames: Frame[] = [];
    let bytes = this.#sent;
    while (bytes.length > 0) {
      const end = 9 + bytes.readUIntBE(0, 3);
      const [type, flags, streamId] = [bytes.readUInt8(3), bytes.readUInt8(4), bytes.readUInt32BE(5)];
      frames.push({ type, flags, streamId, payload: bytes.subarray(9, end) });
      bytes = bytes.subarray(end);
    }
    this.#sent = bytes;
    return frames;
  }
}

interface Fixture {
  readonly wire: Wire;
  readonly connection: Http2Connection;
  readonly streams: Http2Stream[];
  /** Sends bytes to the server, and returns the frames that it answers: name, stream, flags, and the last four bytes. */
  readonly send: (...bytes: readonly Buffer[]) => Promise<string[]>;
}

async function turns(): Promise<void> {
  for (let count = 0; count < 6; count++) await new Promise(setImmediate);
}

function describeFrame({ type, flags, streamId, payload }: Frame): string {
  const name = names[type] ?? String(type);
  if (type === DATA) return `${name} ${streamId} ${flags} ${payload.length > 20 ? payload.length : payload.toString()}`;
  if (type === HEADERS) return `${name} ${streamId} ${flags}`;
  const number = payload.length >= 4 ? ` ${payload.readUInt32BE(payload.length - 4)}` : '';
  return `${name} ${streamId} ${flags}${number}`;
}

async function open(limits: Partial<HttpLimits> = {}, serve?: (stream: Http2Stream) => void): Promise<Fixture> {
  const wire = new Wire();
  const streams: Http2Stream[] = [];
  const connection = new Http2Connection(wire, { ...defaultLimits, ...limits }, (stream) => {
    streams.push(stream);
    serve?.(stream);
  });
  const send = async (...bytes: readonly Buffer[]): Promise<string[]> => {
    wire.push(Buffer.concat(bytes));
    await turns();
    return wire.takeFrames().map(describeFrame);
  };
  await send(Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frameOf(SETTINGS, 0, 0));
  return { wire, connection, streams, send };
}

const answer = (stream: Http2Stream): void => {
  stream.respond(200, {});
  stream.end(Buffer.from('aye'));
};

describe('an HTTP/2 connection', () => {
  it('begins with its settings, a window for all streams, and a confirmation', async () => {
    const wire = new Wire();
    const connection = new Http2Connection(wire, { ...defaultLimits, streamWindow: 100_000 }, () => undefined);
    wire.push(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), settingsFrame([[4, 10]])]));
    await turns();
    const [settings, ...others] = wire.takeFrames();
    assert.equal(settings?.payload.toString('hex'), '0003000000640004000186a0000600100000');
    assert.deepEqual(others.map(describeFrame), [`WINDOW_UPDATE 0 0 ${10_000_000 - 65_535}`, 'SETTINGS 0 1']);
    connection.destroy();
  });

  it('serves requests, and answers in turns', async () => {
    const { send, streams } = await open({}, answer);
    assert.deepEqual(await send(request(1), request(3)), [
      'HEADERS 1 4',
      'DATA 1 1 aye',
      'HEADERS 3 4',
      'DATA 3 1 aye',
    ]);
    assert.ok(streams.every(({ destroyed }) => destroyed));
    assert.deepEqual(await send(frameOf(PING, 0, 0, 1, 2), frameOf(PING, ACK, 0, 1, 2)), ['PING 0 1 2']);
    assert.deepEqual(await send(frame(PRIORITY, 0, 1, '12345'), frame(99, 0, 7), frameOf(GOAWAY, 0, 0, 0, 0)), []);
  });

  it('reads a request with a body, and trailers', async () => {
    const { send, streams } = await open();
    await send(request(1, 4, 'POST'), frame(DATA, 0, 1, 'ab'), frame(DATA, 8, 1, '\x02cd\0\0'));
    const [stream = assert.fail()] = streams;
    assert.ok(stream.body !== undefined);
    const body = text(stream.body);
    assert.deepEqual(await send(frame(HEADERS, 5, 1, field('x', 'y'))), []);
    assert.equal(await body, 'abcd');
    answer(stream);
    assert.deepEqual(await send(), ['HEADERS 1 4', 'DATA 1 1 aye']);
  });

  it('tells a client that it need not go on with its body', async () => {
    const { send } = await open({}, answer);
    assert.deepEqual(await send(request(1, 4, 'POST'), frame(DATA, 0, 1, 'ab')), [
      'HEADERS 1 4',
      'DATA 1 1 aye',
      'RST_STREAM 1 0 0',
    ]);
    assert.deepEqual(await send(frame(DATA, 1, 1, 'late'), frameOf(RST_STREAM, 0, 1, 8), request(3)), [
      'RST_STREAM 1 0 5',
      'HEADERS 3 4',
      'DATA 3 1 aye',
    ]);
  });

  it('widens windows as bodies are read', async () => {
    const { send, streams } = await open({ streamWindow: 100, maxConcurrentStreams: 2 });
    assert.deepEqual(await send(request(1, 4, 'POST'), frame(DATA, 0, 1, Buffer.alloc(60))), []);
    streams[0]?.body?.resume();
    assert.deepEqual(await send(), ['WINDOW_UPDATE 1 0 60']);
    assert.deepEqual(await send(frame(DATA, 0, 1, Buffer.alloc(70))), [
      'WINDOW_UPDATE 0 0 130',
      'WINDOW_UPDATE 1 0 70',
    ]);
  });

  it('refuses more than its windows, and widens that of the connection again', async () => {
    const { send } = await open({ streamWindow: 100, maxConcurrentStreams: 2 });
    assert.deepEqual(await send(request(1, 4, 'POST'), frame(DATA, 0, 1, Buffer.alloc(100)), frame(DATA, 0, 1, 'a')), [
      'RST_STREAM 1 0 3',
      'WINDOW_UPDATE 0 0 101',
    ]);
    const tooMuch = frame(DATA, 0, 3, Buffer.alloc(201));
    assert.deepEqual(await send(request(3, 4, 'POST'), tooMuch), ['GOAWAY 0 0 3']);
  });

  it('drops the body of a request that has none', async () => {
    const { send, streams } = await open({ streamWindow: 100 });
    assert.deepEqual(await send(request(1, 4), frame(DATA, 0, 1, Buffer.alloc(60))), ['WINDOW_UPDATE 1 0 60']);
    assert.equal(streams[0]?.body, undefined);
  });

  it('sends within the windows of the client', async () => {
    const { send, streams } = await open();
    await send(settingsFrame([[4, 10]]), request(1), request(3));
    for (const stream of streams) {
      stream.respond(200, {});
      stream.write('x'.repeat(15));
      stream.end();
    }
    const begun = (id: number): string[] => [`HEADERS ${id} 4`, `DATA ${id} 0 xxxxxxxxxx`];
    assert.deepEqual(await send(), [...begun(1), ...begun(3)]);
    assert.deepEqual(await send(frameOf(WINDOW_UPDATE, 0, 3, 100)), ['DATA 3 1 xxxxx']);
    assert.deepEqual(await send(settingsFrame([[4, 9]]), frameOf(WINDOW_UPDATE, 0, 1, 1)), ['SETTINGS 0 1']);
    assert.deepEqual(await send(settingsFrame([[4, 20]])), ['SETTINGS 0 1', 'DATA 1 1 xxxxx']);
  });

  it('waits for the window of the connection', async () => {
    const { send, streams } = await open();
    await send(settingsFrame([[4, 2 ** 31 - 1]]), request(1), request(3));
    for (const stream of streams) {
      stream.respond(200, {});
      stream.end(Buffer.alloc(60_000, 'x'));
    }
    const sent = (await send()).filter((each) => each.startsWith('DATA')).map((each) => Number(each.split(' ')[3]));
    assert.equal(
      sent.reduce((sum, bytes) => sum + bytes),
      65_535,
    );
    await send(frameOf(WINDOW_UPDATE, 0, 0, 100_000));
    assert.ok(streams.every(({ destroyed }) => destroyed));
  });

  it('goes on when both windows are widened, in either order', async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const { send, streams } = await open();
      await send(request(1));
      streams[0]?.respond(200, {});
      streams[0]?.end(Buffer.alloc(65_540, 'x'));
      await send();
      const updates = order.map((id) => frameOf(WINDOW_UPDATE, 0, id, 100));
      assert.deepEqual(
        [...(await send(updates[0] ?? assert.fail())), ...(await send(updates[1] ?? assert.fail()))],
        ['DATA 1 1 xxxxx'],
      );
    }
  });

  it('holds everything back while the socket writes, and drains then', async () => {
    const { send, streams, wire } = await open();
    await send(request(1));
    const [stream = assert.fail()] = streams;
    wire.isHeld = true;
    const events: string[] = [];
    stream.on('drain', () => events.push('drain'));
    stream.respond(200, {});
    assert.equal(
      stream.write('x'.repeat(20_000), () => events.push('written')),
      false,
    );
    assert.deepEqual(await send(), ['HEADERS 1 4', 'DATA 1 0 16384', 'DATA 1 0 3616']);
    stream.write('more');
    assert.deepEqual(await send(frameOf(PING, 0, 0, 1, 2)), []);
    assert.deepEqual([events, stream.writableLength, stream.writableNeedDrain], [[], 4, true]);
    wire.release();
    assert.deepEqual(await send(), ['PING 0 1 2', 'DATA 1 0 more']);
    assert.deepEqual([events, stream.writableNeedDrain], [['written', 'drain'], false]);
  });

  it('breaks an answer off', async () => {
    const { send, streams } = await open();
    await send(request(1));
    const [stream = assert.fail()] = streams;
    let isClosed = false;
    stream.once('close', () => {
      isClosed = true;
    });
    stream.respond(200, {});
    stream.write('half');
    stream.destroy();
    assert.equal(stream.write('more'), false);
    assert.deepEqual(await send(), ['RST_STREAM 1 0 2']);
    assert.ok(isClosed);
  });

  it('does not complete a body whose stream is reset in the same bytes', async () => {
    const { send, streams } = await open();
    await send(request(1, 4, 'POST'), frame(DATA, 1, 1, 'a'), frameOf(RST_STREAM, 0, 1, 8));
    assert.equal(streams[0]?.body?.isComplete, false);
  });

  it('closes the stream of a client that resets it', async () => {
    const { send, streams } = await open();
    await send(request(1, 4, 'POST'), frame(DATA, 0, 1, 'a'));
    const [stream = assert.fail()] = streams;
    const { body = assert.fail() } = stream;
    const failed = assert.rejects(text(body));
    assert.deepEqual(await send(frameOf(RST_STREAM, 0, 1, 8)), []);
    assert.equal(stream.destroyed, true);
    await failed;
  });

  for (const [what, bytes, code] of [
    ['a malformed request', [request(1, 5, 'GET', [field('a b', 'c')])], 1],
    ['a body that was declared without one', [request(1, 5, 'POST', [field('content-length', '3')])], 1],
    ['more body than declared', [request(1, 4, 'POST', [field('content-length', '1')]), frame(DATA, 0, 1, 'ab')], 1],
    ['less body than declared', [request(1, 4, 'POST', [field('content-length', '3')]), frame(DATA, 1, 1, 'ab')], 1],
    ['trailers that do not end it', [request(1, 4, 'POST'), frame(HEADERS, 4, 1, field('x', 'y'))], 1],
    ['a path among its trailers', [request(1, 4, 'POST'), frame(HEADERS, 5, 1, field(':path', '/'))], 1],
    ['fields after its end', [request(1), frame(HEADERS, 5, 1, field('x', 'y'))], 5],
    ['a body after its end', [request(1), frame(DATA, 1, 1, 'a')], 5],
    ['a window that does not grow', [request(1), frameOf(WINDOW_UPDATE, 0, 1, 0)], 1],
    ['a window that is too large', [request(1), frameOf(WINDOW_UPDATE, 0, 1, 2 ** 31 - 1)], 3],
    ['one request too many', [request(3), request(5), request(1 + 6)], 7],
  ] as const) {
    it(`resets a stream because of ${what}`, async () => {
      const { send } = await open({ maxConcurrentStreams: 2 });
      const frames = await send(...bytes, frameOf(PING, 0, 0, 0, 9));
      const [last] = frames.filter((each) => each.startsWith('RST_STREAM'));
      assert.match(last ?? '', new RegExp(`^RST_STREAM \\d 0 ${code}$`));
      assert.equal(frames.at(-1), 'PING 0 1 9', 'the connection goes on');
    });
  }

  for (const [what, bytes, code] of [
    ['DATA without a stream', [frame(DATA, 0, 0)], 1],
    ['DATA of a stream that is not open', [frame(DATA, 0, 1)], 1],
    ['a stream of the server', [request(2)], 1],
    ['a stream that goes back', [request(3), request(1)], 1],
    ['CONTINUATION without HEADERS', [frame(CONTINUATION, 4, 1)], 1],
    ['a frame within a header block', [frame(HEADERS, 0, 1), frameOf(PING, 0, 0, 1, 2)], 1],
    ['PUSH_PROMISE', [frame(PUSH_PROMISE, 4, 1)], 1],
    ['GOAWAY of a stream', [frameOf(GOAWAY, 0, 1, 0, 0)], 1],
    ['a reset of a stream that is not open', [frameOf(RST_STREAM, 0, 1, 8)], 1],
    ['a frame of another size', [frame(PRIORITY, 0, 1)], 6],
    ['a window that is too large', [frameOf(WINDOW_UPDATE, 0, 0, 2 ** 31 - 1)], 3],
    [
      'an initial window that makes one too large',
      [request(1), frameOf(WINDOW_UPDATE, 0, 1, 1), settingsFrame([[4, 2 ** 31 - 1]])],
      3,
    ],
    ['a header block that is not HPACK', [frame(HEADERS, 5, 1, Buffer.of(0x80))], 9],
  ] as const) {
    it(`ends because of ${what}`, async () => {
      const { send, wire, streams } = await open();
      assert.equal((await send(...bytes)).at(-1), `GOAWAY 0 0 ${code}`);
      assert.ok(streams.every(({ destroyed }) => destroyed));
      assert.equal(wire.hasEnded, true);
      assert.deepEqual(await send(request(9), frameOf(PING, 0, 0, 1, 2)), []);
      wire.destroy();
    });
  }

  it('ends without settings of the client', async () => {
    for (const first of [frameOf(PING, 0, 0, 1, 2), frameOf(SETTINGS, ACK, 0)]) {
      const wire = new Wire();
      const connection = new Http2Connection(wire, defaultLimits, () => undefined);
      wire.push(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), first]));
      await turns();
      assert.equal(wire.takeFrames().map(describeFrame).at(-1), 'GOAWAY 0 0 1');
      connection.destroy();
    }
  });

  for (const code of [0, 8]) {
    it(`ends with a client that resets too many requests, with code ${code}`, async () => {
      const { send, wire } = await open();
      for (let id = 1; id <= 1801; id += 2) wire.push(Buffer.concat([request(id), frameOf(RST_STREAM, 0, id, code)]));
      for (let count = 0; count < 100 && !wire.hasEnded; count++) await turns();
      assert.equal((await send()).at(-1), 'GOAWAY 0 0 11');
      wire.destroy();
    });
  }

  it('goes on with a client that opens too many requests at once', async () => {
    const { send, wire } = await open();
    for (let id = 1; id < 3000; id += 2) wire.push(request(id));
    for (let count = 0; count < 20; count++) await turns();
    assert.equal(wire.hasEnded, false);
    assert.equal((await send(frameOf(PING, 0, 0, 0, 9))).at(-1), 'PING 0 1 9');
    wire.destroy();
  });

  it('ends with a client that provokes control frames and reads none', async () => {
    const { wire } = await open();
    wire.isHeld = true;
    const pings = Buffer.concat(Array.from({ length: 1000 }, () => frameOf(PING, 0, 0, 1, 2)));
    // A batch takes all that waits, at most 256 KiB. The answers to these pings are more than twice that, however many the first batch takes.
    for (let count = 0; count < 40; count++) wire.push(pings);
    // How many turns it takes to read them depends on the time that each takes.
    for (let turn = 0; turn < 1000 && !wire.destroyed; turn++) await turns();
    assert.equal(wire.destroyed, true);
  });

  it('answers what is open before it closes, and refuses the rest', async () => {
    const { send, streams, connection, wire } = await open();
    await send(request(1));
    connection.close();
    connection.close();
    assert.deepEqual(await send(request(3)), ['GOAWAY 0 0 0', 'RST_STREAM 3 0 7']);
    assert.equal(wire.hasEnded, false);
    answer(streams[0] ?? assert.fail());
    assert.deepEqual(await send(), ['HEADERS 1 4', 'DATA 1 1 aye']);
    assert.equal(wire.hasEnded, true);
    wire.destroy();
  });

  it('closes when it is idle for too long, and not before its requests are answered', async () => {
    const { send, streams, connection, wire } = await open({ idleTimeout: -1 });
    await send(request(1));
    connection.check();
    assert.deepEqual(await send(), []);
    answer(streams[0] ?? assert.fail());
    await send();
    connection.check();
    assert.deepEqual(await send(), ['GOAWAY 0 0 0']);
    wire.destroy();
  });

  it('closes its streams when the client goes', async () => {
    const { send, streams, wire } = await open();
    await send(request(1));
    wire.push(null);
    await turns();
    assert.deepEqual([wire.destroyed, streams[0]?.destroyed], [true, true]);
  });
});
