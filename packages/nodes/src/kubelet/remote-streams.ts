import type { Duplex } from 'node:stream';
import { type Clock, sleep } from '@binnacle/apimachinery/clock';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { SpdyConnection, type SpdyStream } from '@binnacle/apimachinery/spdy';
import { drained } from './answer.js';
import type { WebSocketChannels } from './websocket-channels.js';

/** Which streams a client wants, from its query. Upstream: kubelet `remotecommand.NewOptions`. */
export interface StreamOptions {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** The streams between a client and a command, whatever protocol carries them. */
export interface RemoteStreams {
  /** Ends at once if the client sends none. */
  readonly stdin: AsyncIterable<Buffer>;
  readonly stdout: (bytes: Buffer) => Promise<void>;
  readonly stderr: (bytes: Buffer) => Promise<void>;
  /** Tells the client how the command ended, and ends all streams. */
  readonly finish: (status: JsonObject) => Promise<void>;
  /** Fires when the client has gone. */
  readonly gone: AbortSignal;
}

/** Undefined: the client wants no stream. With a terminal there is no second stream. */
export function readStreamOptions(query: URLSearchParams): StreamOptions | undefined {
  const [stdin = false, stdout = false, error = false, tty = false] = ['input', 'output', 'error', 'tty'].map(
    (name) => query.get(name) === '1',
  );
  const stderr = error && !tty;
  return stdin || stdout || stderr ? { stdin, stdout, stderr, tty } : undefined;
}

/** How long a stream may wait for those that belong to it, in milliseconds. Upstream: `DefaultStreamCreationTimeout`. */
export const CREATION_TIMEOUT = 30_000;

/** Resolves to the streams when the client has opened them over SPDY; undefined: it has not in time. */
export async function spdyStreams(
  socket: Duplex,
  head: Buffer,
  options: StreamOptions,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<RemoteStreams | undefined> {
  const wanted = new Set(['error', ...namesOf(options)]);
  const streams = new Map<string, SpdyStream>();
  const gone = new AbortController();
  const waited = new AbortController();
  const connection = new SpdyConnection(socket, {
    role: 'server',
    head,
    maxStreams: wanted.size,
    onStream: (stream) => {
      const type = stream.headers.get('streamtype') ?? '';
      if (!wanted.has(type) || streams.has(type)) return stream.refuse();
      stream.on('error', () => undefined);
      // Only the input is read.
      if (type !== 'stdin') stream.resume();
      stream.accept();
      streams.set(type, stream);
      if (streams.size === wanted.size) waited.abort();
    },
  });
  void connection.closed.then(() => gone.abort(new Error('the client has gone')));
  const ends = AbortSignal.any([waited.signal, gone.signal, signal]);
  if (streams.size < wanted.size) await sleep(clock, CREATION_TIMEOUT, ends).catch(() => undefined);
  if (streams.size < wanted.size || gone.signal.aborted || signal.aborted) {
    connection.destroy();
    return undefined;
  }
  return {
    stdin: streams.get('stdin') ?? nothing(),
    stdout: writerOf(streams.get('stdout')),
    stderr: writerOf(streams.get('stderr')),
    finish: async (status) => {
      await writerOf(streams.get('error'))(Buffer.from(JSON.stringify(status)));
      await connection.close();
    },
    gone: gone.signal,
  };
}

/** How many channels a WebSocket for a command has: input, both outputs, how it ended, and the size of the terminal. */
export const COMMAND_CHANNELS = 5;

/** The streams in a WebSocket. The client has opened all of them with it. Upstream: `createWebSocketStreams`. */
export async function webSocketStreams(connection: WebSocketChannels, options: StreamOptions): Promise<RemoteStreams> {
  const [stdin, stdout, stderr, error, resize] = connection.channels;
  for (const unread of [options.stdin ? undefined : stdin, stdout, stderr, error, resize]) unread?.resume();
  // An empty message says that the connection works.
  const first = options.stdout ? stdout : options.stderr ? stderr : error;
  await writerOf(first)(Buffer.alloc(0));
  return {
    stdin: options.stdin && stdin !== undefined ? stdin : nothing(),
    stdout: writerOf(options.stdout ? stdout : undefined),
    stderr: writerOf(options.stderr ? stderr : undefined),
    finish: async (status) => {
      await ended(error, Buffer.from(JSON.stringify(status)));
      connection.close();
    },
    gone: connection.gone,
  };
}

/** Resolves when the bytes are on their way. */
function ended(stream: Duplex | undefined, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (stream === undefined) resolve();
    else stream.once('close', resolve).end(bytes, () => resolve());
  });
}

function namesOf({ stdin, stdout, stderr, tty }: StreamOptions): readonly string[] {
  const names = { stdin, stdout, stderr, resize: tty };
  return Object.entries(names).flatMap(([name, isWanted]) => (isWanted ? [name] : []));
}

/** Drops bytes for a stream that the client has not asked for. */
function writerOf(stream: Duplex | undefined): (bytes: Buffer) => Promise<void> {
  return async (bytes) => {
    if (stream === undefined || stream.destroyed || stream.writableEnded) return;
    if (!stream.write(bytes)) await drained(stream);
  };
}

async function* nothing(): AsyncGenerator<Buffer> {
  // It has no item.
}
