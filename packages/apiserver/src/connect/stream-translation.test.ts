import assert from 'node:assert/strict';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { type Duplex, duplexPair, PassThrough, Writable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { SpdyConnection, type SpdyStream } from '@binnacle/apimachinery/spdy';
import type { MessagePart } from '@binnacle/apimachinery/websocket';
import { RequestContext, type WebSocketMessages } from '../request/index.js';
import { FakeExchange, messageOf } from '../testing/index.js';
import type { StandardStreams } from './stream-location.js';
import { translateStreams } from './stream-translation.js';

type Streams = ReadonlyMap<string, SpdyStream>;
const all: StandardStreams = { stdin: true, stdout: true, stderr: true, tty: false };

/** A WebSocket in memory: `client` is the far side. */
function webSocket() {
  const toServer = new PassThrough({ objectMode: true });
  const received: Buffer[] = [];
  const messages: WebSocketMessages & { isClosed: boolean } = {
    protocol: 'v5.channel.k8s.io',
    isClosed: false,
    [Symbol.asyncIterator]: () => toServer[Symbol.asyncIterator]() as AsyncIterator<MessagePart>,
    send: async (message) => void received.push(Buffer.from(message)),
    close() {
      this.isClosed = true;
      toServer.end();
    },
    destroy: () => toServer.end(),
  };
  const sendPart = (bytes: Buffer, place: Omit<MessagePart, 'bytes'>): unknown => toServer.write({ bytes, ...place });
  const send = (...pieces: readonly (number | string)[]): unknown => {
    const bytes = pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : Buffer.from([piece])));
    return sendPart(Buffer.concat(bytes), { isFirst: true, isLast: true });
  };
  /** The text that arrived in a channel. */
  const inChannel = (channel: number): string =>
    received
      .filter(([first]) => first === channel)
      .map((message) => String(message.subarray(1)))
      .join('');
  return { messages, send, sendPart, received, inChannel, leave: () => toServer.end() };
}

/** Runs a command at a kubelet that serves the streams like this, or answers with this message. */
function translated(kubelet: ((streams: Streams) => unknown) | IncomingMessage, streams = all) {
  const socket = webSocket();
  const exchange = new FakeExchange({});
  const context = new RequestContext(exchange, '/', new URLSearchParams(), 0);
  const opened = new Map<string, SpdyStream>();
  const count = 1 + [streams.stdin, streams.stdout, streams.tty || streams.stderr].filter(Boolean).length;
  const serve = (far: Duplex, run: (streams: Streams) => unknown) =>
    new SpdyConnection(far, {
      role: 'server',
      onStream: (stream) => {
        stream.accept();
        opened.set(stream.headers.get('streamtype') ?? '', stream);
        if (opened.size === count) run(opened);
      },
    });
  let socketOfKubelet: Duplex | undefined;
  const open = (): ClientRequest => {
    const request = new Writable({
      autoDestroy: false,
      write: (_chunk, _encoding, done) => done(),
      final: (done) => {
        done();
        if (typeof kubelet !== 'function') return request.emit('response', kubelet);
        const [near, far] = duplexPair();
        serve(far, kubelet);
        socketOfKubelet = near;
        const message = messageOf({ status: 101, headers: { 'x-stream-protocol-version': 'v4.channel.k8s.io' } });
        return request.emit('upgrade', message, near, Buffer.alloc(0));
      },
    });
    // A ClientRequest has many more members, which nothing here reads.
    return request as unknown as ClientRequest;
  };
  const destination = { scheme: 'https', host: 'n', port: 1, path: '/exec', query: '', trust: 'kubelet' } as const;
  const over = translateStreams(
    context,
    { accept: () => assert.fail(), open: async () => socket.messages },
    { destination, streams },
    {
      destinations: undefined as never,
      connections: { open },
      clock: new VirtualClock(),
      userHeaders: { names: [], prefixes: [] },
    },
  );
  return { ...socket, over, opened, exchange, isConnected: () => socketOfKubelet?.destroyed === false };
}

const succeed = (streams: Streams): void => {
  for (const name of ['stdout', 'stderr']) streams.get(name)?.end();
  streams.get('error')?.end('{"status":"Success"}');
};

describe('a translated command', () => {
  it('passes input, its end, outputs and the outcome', async () => {
    const { send, over, inChannel, received, messages } = translated(async (streams) => {
      const input = streams.get('stdin');
      assert.ok(input);
      streams.get('stderr')?.write('warning');
      streams.get('stdout')?.write((await text(input)).toUpperCase());
      succeed(streams);
    });
    send(0, 'in');
    send(0, 'put');
    send(255, 0);
    await over;
    assert.deepEqual(received[0], Buffer.from([1]));
    assert.deepEqual([1, 2, 3].map(inChannel), ['INPUT', 'warning', '{"metadata":{},"status":"Success"}']);
    assert.equal(messages.isClosed, true);
  });

  it('passes a long message on as it arrives', async () => {
    const { sendPart, send, over, inChannel } = translated(async (streams) => {
      const input = streams.get('stdin');
      assert.ok(input);
      input.once('data', (bytes: Buffer) => {
        assert.equal(String(bytes), 'be');
        sendPart(Buffer.from([255, 9]), { isFirst: false, isLast: false });
        sendPart(Buffer.from('gin'), { isFirst: false, isLast: true });
        send(255, 0);
      });
      streams.get('stdout')?.write(String((await buffer(input)).length));
      succeed(streams);
    });
    sendPart(Buffer.from('\u0000be'), { isFirst: true, isLast: false });
    await over;
    assert.equal(inChannel(1), '7');
  });

  it('passes the size of a terminal, which has one output', async () => {
    const size = '{"Width":80,"Height":25}\n';
    const { send, over, opened, inChannel } = translated(
      (streams) => {
        streams.get('resize')?.once('data', (piece) => {
          streams.get('stdout')?.write(`seen ${String(piece)}`);
          succeed(streams);
        });
      },
      { ...all, tty: true },
    );
    send(4, size);
    await over;
    assert.deepEqual([...opened.keys()], ['error', 'stdin', 'stdout', 'resize']);
    assert.equal(inChannel(1), `seen ${size}`);
  });

  it('notes the opening in the first channel that there is', async () => {
    for (const [streams, channel] of [
      [{ ...all, stdout: false }, 2],
      [{ stdin: false, stdout: false, stderr: false, tty: false }, 3],
    ] as const) {
      const { over, received } = translated(succeed, streams);
      await over;
      assert.deepEqual(received[0], Buffer.from([channel]));
    }
  });

  it('ends at the kubelet when the client leaves', async () => {
    const { over, exchange, isConnected } = translated((streams) => {
      streams.get('stdout')?.write('tick');
      setImmediate(() => exchange.disconnect());
    });
    await over;
    assert.equal(isConnected(), false);
  });

  it('ends for a client that breaks the protocol', async () => {
    const { over, isConnected, send } = translated(() => send(255));
    await over;
    assert.equal(isConnected(), false);
  });

  it('reports what the kubelet refused', async () => {
    const { over, inChannel } = translated(messageOf({ status: 404, body: ['no such container'] }));
    await over;
    assert.match(inChannel(3), /"message":"Internal error occurred: unable to upgrade connection: no such container"/);
  });
});
