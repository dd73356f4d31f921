import { type Clock, sleep } from '@binnacle/apimachinery/clock';
import { SpdyConnection, SpdyError, type SpdyStream } from '@binnacle/apimachinery/spdy';
import { internalError } from '@binnacle/apimachinery/status';
import { BackendCall } from '../proxying/index.js';
import type { RequestContext, WebSocketMessages, WebSocketUpgrade } from '../request/index.js';
import { describeFailure } from '../webhooks/index.js';
import type { ConnectParts } from './connect-parts.js';
import { type Destination, urlOf } from './destination.js';
import { outcomeOf, SUCCESS, upgradeFailure } from './remote-outcome.js';
import type { StandardStreams } from './stream-location.js';
import { STREAM_CLOSE_PROTOCOL } from './websocket-protocols.js';

/** The first byte of each message names its channel. Upstream: apimachinery `pkg/util/remotecommand`. */
const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
const STATUS = 3;
const RESIZE = 4;
/** Ends the channel that the next byte names. */
const CLOSE = 255;

/** The protocols that the server offers to kubelets, in order of preference. */
const PROTOCOLS = [STREAM_CLOSE_PROTOCOL, 'v4.channel.k8s.io', 'v3.channel.k8s.io', 'v2.channel.k8s.io'];
const PING_MS = 5000;
const OPEN_MS = 30_000;
const MAXIMUM_ERROR_BYTES = 64 * 1024;

export interface RemoteCommand {
  readonly destination: Destination;
  readonly streams: StandardStreams;
}

/**
 * Speaks WebSocket of version 5 with the client and SPDY with the kubelet. Errors after the WebSocket has opened reach the
 * client as a Status in the channel for it.
 * Upstream: apiserver `pkg/util/proxy/streamtranslator.go`, client-go `tools/remotecommand`.
 */
export async function translateStreams(
  context: RequestContext,
  upgrade: WebSocketUpgrade,
  { destination, streams }: RemoteCommand,
  parts: ConnectParts,
): Promise<void> {
  const client = await upgrade.open([STREAM_CLOSE_PROTOCOL]);
  if (client === undefined) return;
  const { signal } = context.exchange;
  try {
    await client.send(Buffer.from([streams.stdout ? STDOUT : streams.stderr ? STDERR : STATUS]));
    const status = await run(client, { destination, streams }, parts, signal);
    await client.send(Buffer.concat([Buffer.from([STATUS]), Buffer.from(JSON.stringify(status))]));
    client.close();
  } catch (error) {
    client.destroy();
    if (!signal.aborted) throw error;
  }
}

/** Runs the command; settles with its outcome. */
async function run(
  client: WebSocketMessages,
  { destination, streams }: RemoteCommand,
  parts: ConnectParts,
  signal: AbortSignal,
): Promise<object> {
  const connected = await connect(destination, parts, signal);
  if (!('connection' in connected)) return internalError(connected).status;
  const { connection, protocol } = connected;
  const abort = (): void => connection.destroy();
  signal.addEventListener('abort', abort, { once: true });
  using _ping = pinging(connection, parts.clock);
  try {
    const opened = await openStreams(connection, streams, parts.clock);
    void passInput(client, opened).then(() => undefined, abort);
    const status = textOf(opened.status);
    await Promise.all([passOutput(opened.stdout, STDOUT, client), passOutput(opened.stderr, STDERR, client)]);
    const text = await status;
    return text === '' ? SUCCESS : outcomeOf(protocol, text);
  } catch (error) {
    if (error instanceof SpdyError) return internalError(error).status;
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
    connection.destroy();
  }
}

/** The connection to the kubelet, or why there is none. */
async function connect(
  destination: Destination,
  { connections }: ConnectParts,
  signal: AbortSignal,
): Promise<{ readonly connection: SpdyConnection; readonly protocol: string } | Error> {
  const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1', 'x-stream-protocol-version': PROTOCOLS };
  const call = new BackendCall(() => connections.open(destination, { method: 'POST', headers, signal }));
  try {
    const { message, upgraded } = await call.send(undefined);
    if (upgraded === undefined) return upgradeFailure(await textOf(message));
    const connection = new SpdyConnection(upgraded.socket, { role: 'client', head: upgraded.head });
    const protocol = message.headers['x-stream-protocol-version'];
    if (typeof protocol === 'string' && PROTOCOLS.includes(protocol)) return { connection, protocol };
    connection.destroy();
    return upgradeFailure('the kubelet speaks none of the protocols that were named');
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    return new Error(`error sending request: Post "${urlOf(destination)}": ${describeFailure(error)}`);
  }
}

interface OpenStreams {
  readonly status: SpdyStream;
  readonly stdin: SpdyStream | undefined;
  readonly stdout: SpdyStream | undefined;
  readonly stderr: SpdyStream | undefined;
  readonly resize: SpdyStream | undefined;
}

/** Opens the streams in upstream's order. A terminal has one output. */
async function openStreams(
  connection: SpdyConnection,
  { stdin, stdout, stderr, tty }: StandardStreams,
  clock: Clock,
): Promise<OpenStreams> {
  const open = async (type: string): Promise<SpdyStream> => {
    const stream = connection.open(new Map([['streamType', type]]));
    const ended = new AbortController();
    const late = sleep(clock, OPEN_MS, ended.signal).then(() => {
      throw new SpdyError('Timeout occurred');
    });
    try {
      await Promise.race([stream.accepted, late]);
    } finally {
      ended.abort();
      late.catch(() => undefined);
    }
    return stream;
  };
  return {
    status: await open('error'),
    stdin: stdin ? await open('stdin') : undefined,
    stdout: stdout ? await open('stdout') : undefined,
    stderr: stderr && !tty ? await open('stderr') : undefined,
    resize: tty ? await open('resize') : undefined,
  };
}

/** Passes the client's messages on, as fast as the kubelet takes them. Settles when the client has left, or breaks the protocol. */
async function passInput(client: WebSocketMessages, { stdin, resize }: OpenStreams): Promise<void> {
  // The kubelet ends these when the command is over; what it sends before has no meaning.
  stdin?.resume();
  resize?.resume();
  const targets = new Map([
    [STDIN, stdin],
    [RESIZE, resize],
  ]);
  let target: SpdyStream | undefined;
  for await (const { bytes, isFirst, isLast } of client) {
    const [channel = CLOSE, ended = CLOSE] = bytes;
    if (isFirst && channel === CLOSE) {
      if (!isLast || bytes.length !== 2 || ended > RESIZE) {
        client.destroy();
        throw new Error('a close signal names no channel');
      }
      targets.get(ended)?.end();
      continue;
    }
    if (isFirst) target = targets.get(channel);
    const content = isFirst ? bytes.subarray(1) : bytes;
    if (content.length > 0) await written(target, content);
  }
  stdin?.end();
}

/** Settles when the stream takes more, or has ended. */
function written(stream: SpdyStream | undefined, bytes: Buffer): Promise<void> {
  if (stream === undefined || stream.writableEnded || stream.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    stream.write(bytes, () => resolve());
  });
}

/** Passes one output on, as fast as the client takes it. */
async function passOutput(stream: SpdyStream | undefined, channel: number, client: WebSocketMessages): Promise<void> {
  if (stream === undefined) return;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    await client.send(Buffer.concat([Buffer.from([channel]), chunk]));
  }
}

/** The beginning of a text. */
async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of stream) {
    length += piece.length;
    if (length <= MAXIMUM_ERROR_BYTES) pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/** Keeps the connection from looking idle. */
function pinging(connection: SpdyConnection, clock: Clock): Disposable {
  let timer = clock.setTimer(ping, PING_MS);
  function ping(): void {
    connection.ping();
    timer = clock.setTimer(ping, PING_MS);
  }
  return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
}
