import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { SpdyConnection, type SpdyStream } from '@binnacle/apimachinery/spdy';
import type { Container, ContainerState, Pod } from '@binnacle/client/kinds/core/v1';
import { WebSocket } from 'ws';
import { ContainerStates } from './container-states.js';
import type { KubeletApiParts } from './kubelet-api-parts.js';
import { routeOf } from './routes.js';
import { podOn } from './simulated-pods.testing.js';
import { serveStreams } from './streams.js';

/** The pod `n/NAME`, whose container `c` declares port 80, and runs unless it is in another state. */
export function podOf(name: string, container: Partial<Container> = {}, state?: ContainerState): Pod {
  const whole = { name: 'c', image: 'img:1', ports: [{ containerPort: 80 }], ...container };
  const pod = podOn('node-0', name, { containers: [whole] });
  if (state === undefined) return pod;
  const containerStatuses = (pod.status?.containerStatuses ?? []).map((status) => ({ ...status, state }));
  return { ...pod, status: { ...pod.status, containerStatuses } };
}

/** Both ends of a WebSocket in memory. */
export interface InMemoryWebSocket {
  readonly client: WebSocket;
  /** The bytes that the client has received in each channel. */
  readonly channels: string[];
  readonly near: Duplex;
  readonly served: Promise<void>;
}

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>;

/** Connects clients in memory to {@link serveStreams}, or to another function that serves the upgraded connection. */
export class StreamTrial {
  readonly pods: Pod[];
  readonly clock = new VirtualClock(Date.UTC(2027, 0, 4));
  /** Fires when the nodes stop. */
  readonly stop = new AbortController();
  readonly states = new ContainerStates();
  readonly #serve: Upgrade;

  constructor(pods: readonly Pod[] = [], serve?: Upgrade) {
    this.pods = [...pods];
    this.#serve = serve ?? ((...given) => this.#serveStreams(...given));
  }

  /** A SPDY connection. Rejects with the refusal of the server. */
  async spdy(path: string, protocols: string | readonly string[] = 'v4.channel.k8s.io', upgrade = 'SPDY/3.1') {
    const { agent, served } = this.#connect();
    const headers = { connection: 'Upgrade', upgrade, 'x-stream-protocol-version': [protocols].flat() };
    const sent = request({ agent, method: 'POST', path, headers });
    const upgraded = new Promise<readonly [IncomingMessage, Duplex, Buffer]>((resolve, reject) => {
      sent.on('upgrade', (...all) => resolve(all)).on('error', reject);
    });
    sent.end();
    const [{ headers: answered }, socket, head] = await Promise.race([upgraded, served.then(missing)]);
    const connection = new SpdyConnection(socket, { role: 'client', head });
    return { connection, served, protocol: answered['x-stream-protocol-version'] };
  }

  /** Runs a command over SPDY to its end, with `error` and the streams that the query asks for. */
  async command(path: string, input = ''): Promise<{ stdout: string; stderr: string; status: JsonObject }> {
    const { connection, served } = await this.spdy(path);
    const query = new URL(path, 'http://kubelet').searchParams;
    const wanted = { stdin: 'input', stdout: 'output', stderr: 'error', resize: 'tty' };
    const names = Object.entries(wanted).flatMap(([name, key]) => (query.get(key) === '1' ? [name] : []));
    const streams = new Map(['error', ...names].map((name) => [name, openStream(connection, name)]));
    streams.get('stdin')?.end(input);
    const read = async (name: string): Promise<string> => text(streams.get(name) ?? pieces());
    const [stdout, stderr, status] = await Promise.all([read('stdout'), read('stderr'), read('error')]);
    await served;
    return { stdout, stderr, status: JSON.parse(status) as JsonObject };
  }

  /** An open WebSocket. Rejects with the refusal of the server. */
  async webSocket(path: string, protocols: string[] = ['v4.channel.k8s.io']): Promise<InMemoryWebSocket> {
    const { agent, near, served } = this.#connect();
    const client = new WebSocket(`ws://kubelet${path}`, protocols, { agent });
    const channels: string[] = [];
    client.on('message', (data: Buffer) => {
      const number = data[0] ?? 0;
      channels[number] = `${channels[number] ?? ''}${String(data.subarray(1))}`;
    });
    await Promise.race([once(client, 'open'), served.then(missing)]);
    return { client, channels, near, served };
  }

  #connect() {
    const [near, far] = connectedPair();
    const server = createServer();
    const served = new Promise<void>((resolve, reject) => {
      server.once('upgrade', (...given: Parameters<Upgrade>) => {
        this.#serve(...given).then(resolve, reject);
      });
    });
    server.emit('connection', far);
    return { agent: new OneConnection(near), near, served };
  }

  #serveStreams(message: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { pathname, searchParams: query } = new URL(message.url ?? '', 'http://kubelet');
    const route = routeOf(pathname);
    if (route === undefined || !('pod' in route)) throw new Error(`${pathname} has no streams`);
    return serveStreams({ request: message, socket, head, route, query }, this.#parts());
  }

  #parts(): KubeletApiParts & { readonly states: ContainerStates } {
    return {
      pods: {
        find: (namespace, name) =>
          this.pods.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name),
        ofNode: () => this.pods,
      },
      nodesAt: () => ['node-0'],
      delegation: { userOf: unused, authorize: unused },
      clock: this.clock,
      report: unused,
      signal: this.stop.signal,
      states: this.states,
    };
  }
}

/** Two ends of a connection in memory. Each closes with the other. */
export function connectedPair(): [Duplex, Duplex] {
  const [near, far] = duplexPair();
  near.once('close', () => far.destroy());
  far.once('close', () => near.destroy());
  return [near, far];
}

/** Opens a stream of this type. It may be refused. */
export function openStream(connection: SpdyConnection, type: string, further: object = {}): SpdyStream {
  const stream = connection.open(new Map([['streamtype', type], ...Object.entries(further).map(pairOf)]));
  stream.accepted.catch(() => undefined);
  return stream;
}

/** An input in pieces. */
export async function* pieces(...texts: readonly string[]): AsyncGenerator<Buffer> {
  for (const each of texts) yield Buffer.from(each);
}

class OneConnection extends Agent {
  readonly #socket: Duplex;

  constructor(socket: Duplex) {
    super();
    this.#socket = socket;
  }

  override createConnection(): Duplex {
    return this.#socket;
  }
}

function pairOf([name, value]: [string, unknown]): [string, string] {
  return [name, String(value)];
}

function unused(): never {
  throw new Error('streams do not call this');
}

function missing(): never {
  throw new Error('the server has not upgraded the connection');
}
