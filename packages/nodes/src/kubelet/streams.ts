import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { runOf, statusOf } from '../logs/index.js';
import { containerOf } from '../pods/index.js';
import type { Ending } from '../shell/index.js';
import { Refusal } from './admit.js';
import { attachToLog } from './attach.js';
import type { ContainerStates } from './container-states.js';
import { endingStatus } from './ending-status.js';
import type { KubeletApiParts } from './kubelet-api-parts.js';
import { attachToProcess, runProcessCommand } from './process-command.js';
import { forwardChannels, forwardPorts, portsIn } from './port-forward.js';
import { runRemoteCommand } from './remote-command.js';
import {
  COMMAND_CHANNELS,
  readStreamOptions,
  type RemoteStreams,
  spdyStreams,
  type StreamOptions,
  webSocketStreams,
} from './remote-streams.js';
import type { Route } from './routes.js';
import { negotiated, WebSocketChannels, webSocketOn } from './websocket-channels.js';

type StreamRoute = Extract<Route, { readonly pod: string }>;

export interface StreamRequest {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly route: StreamRoute;
  readonly query: URLSearchParams;
}

interface StreamParts extends KubeletApiParts {
  readonly states: ContainerStates;
}

const SPDY = 'spdy/3.1';
const REMOTE_COMMAND = { spdy: ['v4.channel.k8s.io'], webSocket: ['v5.channel.k8s.io', 'v4.channel.k8s.io'] };
const PORT_FORWARD = { spdy: ['portforward.k8s.io'], webSocket: ['v4.channel.k8s.io'] };

/** Serves exec, attach and port-forward on an upgraded connection. Rejects with a {@link Refusal} before the upgrade. */
export async function serveStreams(given: StreamRequest, parts: StreamParts): Promise<void> {
  const { request, route, query } = given;
  const protocol = request.headers.upgrade?.toLowerCase();
  if (protocol !== SPDY && protocol !== 'websocket') {
    throw new Refusal(400, 'the simulated kubelet upgrades to SPDY/3.1 and to WebSocket');
  }
  const pod = parts.pods.find(route.namespace, route.pod);
  if (pod === undefined) throw new Refusal(404, 'pod does not exist');
  if (route.uid !== '' && pod.metadata.uid !== route.uid) throw new Refusal(404, 'pod not found');
  if (route.kind === 'portForward') return forward(pod, given, protocol === SPDY, parts);
  const options = readStreamOptions(query);
  if (options === undefined) throw new Refusal(400, 'you must specify at least 1 of stdin, stdout, stderr');
  checkRunning(pod, route.container, parts);
  const streams =
    protocol === SPDY ? await openSpdy(given, options, parts) : await openWebSocket(given, options, parts);
  if (streams !== undefined) await run(route, { pod, query, tty: options.tty }, streams, parts);
}

async function forward(pod: Pod, given: StreamRequest, isSpdy: boolean, parts: StreamParts): Promise<void> {
  const { request, socket, head, query } = given;
  if (isSpdy) {
    accept(request, socket, PORT_FORWARD.spdy);
    return forwardPorts(pod, socket, head, parts);
  }
  const ports = portsIn(query);
  if (ports === undefined) throw new Refusal(400, 'query parameter "port" is required');
  const protocol = negotiated(request, PORT_FORWARD.webSocket);
  const webSocket = webSocketOn(request, socket, head, { protocol, clock: parts.clock });
  await forwardChannels(pod, ports, new WebSocketChannels(webSocket, 2 * ports.length), parts);
}

function openSpdy(
  { request, socket, head }: StreamRequest,
  options: StreamOptions,
  parts: StreamParts,
): Promise<RemoteStreams | undefined> {
  accept(request, socket, REMOTE_COMMAND.spdy);
  return spdyStreams(socket, head, options, parts);
}

async function openWebSocket(
  { request, socket, head }: StreamRequest,
  options: StreamOptions,
  { clock, signal }: StreamParts,
): Promise<RemoteStreams | undefined> {
  const protocol = negotiated(request, REMOTE_COMMAND.webSocket);
  const webSocket = webSocketOn(request, socket, head, { protocol, clock });
  if (signal.aborted) return undefined;
  return webSocketStreams(new WebSocketChannels(webSocket, COMMAND_CHANNELS), options);
}

/** Runs a command, or what an attached client sees, until it ends or the client has gone. */
async function run(
  route: Extract<StreamRoute, { readonly container: string }>,
  { pod, query, tty }: { readonly pod: Pod; readonly query: URLSearchParams; readonly tty: boolean },
  streams: RemoteStreams,
  parts: StreamParts,
): Promise<void> {
  const container = containerOf(pod, route.container);
  if (container === undefined) return;
  const isExec = route.kind === 'exec';
  const given = { pod, container, command: isExec ? query.getAll('command') : ['sh'], tty };
  const found = parts.processes?.find(pod, statusOf(pod, container.name)?.containerID ?? '');
  const carryOut = (): Promise<Ending> => {
    if (found !== undefined) {
      return isExec ? runProcessCommand(given, streams, found) : attachToProcess(given, streams, found, parts);
    }
    return !isExec && container.stdin !== true
      ? attachToLog(pod, container, streams, parts)
      : runRemoteCommand(given, streams, parts);
  };
  try {
    const ending = await carryOut();
    await streams.finish(endingStatus(ending));
  } catch (error) {
    if (!streams.gone.aborted && !parts.signal.aborted) throw error;
  }
}

function checkRunning(pod: Pod, name: string, { processes }: Pick<StreamParts, 'processes'>): void {
  if (containerOf(pod, name) === undefined) throw new Refusal(404, `container not found (${JSON.stringify(name)})`);
  const run = runOf(pod, name, false);
  const isLost = processes?.has(pod) === true && !processes.find(pod, statusOf(pod, name)?.containerID ?? '');
  if ('problem' in run || run.finishedAt !== undefined || isLost) {
    throw new Refusal(500, `container not found (${JSON.stringify(name)})`);
  }
}

/** Answers the upgrade with the first protocol that both sides speak. Upstream: `httpstream.Handshake`. */
function accept(request: IncomingMessage, socket: Duplex, supported: readonly string[]): void {
  const offered = [request.headers['x-stream-protocol-version'] ?? []]
    .flat()
    .flatMap((value) => value.split(','))
    .map((value) => value.trim());
  const protocol = offered.find((each) => supported.includes(each));
  if (protocol === undefined) {
    const [client, server] = [offered, supported].map((each) => `[${each.join(' ')}]`);
    throw new Refusal(
      403,
      `unable to upgrade: unable to negotiate protocol: client supports ${client}, server accepts ${server}`,
    );
  }
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ${protocol}\r\n\r\n`,
  );
}
