import { createServer, type Server } from 'node:http';
import { connect, type TcpNetConnectOpts } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Clock, onAbort, repeat, untilAborted } from '@binnacle/apimachinery/clock';
import { SpdyConnection, type SpdyStream } from '@binnacle/apimachinery/spdy';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import type { ProcessAccess } from './process-access.js';
import { simulatedAnswer } from './simulated-answer.js';
import { CREATION_TIMEOUT } from './remote-streams.js';
import type { WebSocketChannels } from './websocket-channels.js';

/** Each forwarded connection has two. */
const MAX_STREAMS = 256;

export interface PortForwardParts {
  /** Default: all pods are simulated. */
  readonly processes?: ProcessAccess | undefined;
  /** Connects to processes. Default: over the network of this machine. */
  readonly connectTo?: (options: TcpNetConnectOpts) => Duplex;
}

/** Serves the connections that a client forwards to a pod. Resolves when the client has gone. */
export async function forwardPorts(
  pod: Pod,
  socket: Duplex,
  head: Buffer,
  { clock, signal, ...parts }: PortForwardParts & { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const waiting = new Map<string, { readonly stream: SpdyStream; readonly since: number }>();
  const responders = new Map<number, Server>();
  const pair = (stream: SpdyStream): void => {
    const [type, port, id] = ['streamtype', 'port', 'requestid'].map((name) => stream.headers.get(name) ?? '');
    const isKnown = (type === 'data' || type === 'error') && /^\d{1,5}$/.test(port ?? '');
    if (!isKnown) return stream.refuse();
    stream.on('error', () => undefined);
    stream.accept();
    const first = waiting.get(id ?? '')?.stream;
    if (first === undefined || first.headers.get('streamtype') === type) {
      waiting.set(id ?? '', { stream, since: clock.monotonic() });
      return;
    }
    waiting.delete(id ?? '');
    const [data, error] = type === 'data' ? [stream, first] : [first, stream];
    connectPort(pod, Number(port), { data, error, responders, ...parts });
  };
  const connection = new SpdyConnection(socket, { role: 'server', head, maxStreams: MAX_STREAMS, onStream: pair });
  using _ = repeat(clock, CREATION_TIMEOUT, () => {
    for (const [id, { stream, since }] of waiting) {
      if (clock.monotonic() - since < CREATION_TIMEOUT) continue;
      waiting.delete(id);
      stream.destroy();
    }
  });
  using _stop = onAbort(signal, () => connection.destroy());
  await connection.closed;
}

/** The most ports that a WebSocket client may forward. */
const MAX_PORTS = 100;

/** The ports of a query; undefined: it has none, too many, or one that is not a port. Upstream: `NewV4Options`. */
export function portsIn(query: URLSearchParams): readonly number[] | undefined {
  const texts = query.getAll('port').flatMap((value) => value.split(','));
  const ports = texts.map((text) => (/^\d{1,5}$/.test(text) ? Number(text) : 0));
  return ports.length <= MAX_PORTS && ports.length > 0 && ports.every((port) => port > 0 && port < 65_536)
    ? ports
    : undefined;
}

/** The same over WebSocket: one connection for each port, on a channel for data and one for errors. Upstream: `handleWebSocketStreams`. */
export async function forwardChannels(
  pod: Pod,
  ports: readonly number[],
  connection: WebSocketChannels,
  parts: PortForwardParts = {},
): Promise<void> {
  const responders = new Map<number, Server>();
  ports.forEach((port, index) => {
    const [data, error] = connection.channels.slice(2 * index, 2 * index + 2);
    if (data === undefined || error === undefined) return;
    // Both channels begin with the number of the port.
    const number = Buffer.alloc(2);
    number.writeUInt16LE(port);
    data.write(number);
    error.write(number);
    connectPort(pod, port, { data, error, responders, ...parts });
  });
  await untilAborted(connection.gone);
}

interface Forwarded extends PortForwardParts {
  readonly data: Duplex;
  readonly error: Duplex;
  readonly responders: Map<number, Server>;
}

function connectPort(pod: Pod, port: number, forwarded: Forwarded): void {
  const { data, error, responders, processes } = forwarded;
  error.resume();
  if (processes?.has(pod) === true) return connectProcess(pod, port, processes.addressOf(pod), forwarded);
  if (!listens(pod, port)) return refuse(pod, port, 'connection refused', forwarded);
  const responder = responders.get(port) ?? responderOf(pod, port);
  responders.set(port, responder);
  data.once('close', () => error.end());
  responder.emit('connection', data);
}

/** Connects to a process of the pod. */
function connectProcess(pod: Pod, port: number, host: string, forwarded: Forwarded): void {
  const { data, error, connectTo = connect } = forwarded;
  const socket = connectTo({ host, port, allowHalfOpen: true, noDelay: true });
  let isConnected = false;
  socket.once('connect', () => {
    isConnected = true;
    data.pipe(socket).pipe(data);
  });
  socket.on('error', (cause: Error) => {
    if (isConnected) data.destroy();
    else refuse(pod, port, cause.message, forwarded);
  });
  socket.once('close', () => error.end());
  data.once('close', () => socket.destroy());
}

function refuse({ metadata }: Pod, port: number, reason: string, { data, error }: Forwarded): void {
  const { name = '', namespace = '', uid = '' } = metadata;
  const cause = `failed to connect to localhost:${port} inside pod ${name}_${namespace}: ${reason}`;
  error.end(`error forwarding port ${port} to pod ${uid}: ${cause}`);
  data.end();
  data.resume();
}

/** A pod that declares ports listens only on these; any other pod listens on all. */
function listens({ spec }: Pod, port: number): boolean {
  const declared = (spec?.containers ?? []).flatMap(({ ports = [] }) => ports);
  return declared.length === 0 || declared.some(({ containerPort }) => containerPort === port);
}

/** Answers every HTTP request with a text that says what would have answered. */
function responderOf(pod: Pod, port: number): Server {
  return createServer({ keepAlive: false }, (request, response) => {
    request.resume();
    response.setHeader('content-type', 'text/plain; charset=utf-8');
    response.end(simulatedAnswer(pod, port, `${request.method} ${request.url}`));
  });
}
