import { type ClientRequest, request as plainRequest } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { connect as connectTls, type ConnectionOptions, type SecureContextOptions } from 'node:tls';
import type { Clock } from '@binnacle/apimachinery/clock';
import type { WebSocket } from 'ws';
import { type Egress, EgressAgent, limitInterimAnswers, PlainEgressAgent } from '../egress/index.js';
import type { SentHeaders } from '../proxying/index.js';
import { type Destination, type ForwardedPod, targetOf, type Trust, urlOf } from './destination.js';
import { FORWARDING_PROTOCOL, ForwardedConnection } from './forwarded-connection.js';
import { portForwardTarget } from './stream-location.js';

/** How the server and kubelets recognise each other. PEM. */
export interface KubeletTrust {
  /** Shown only to kubelets. */
  readonly client: { readonly certificate: string; readonly privateKey: string } | undefined;
  /** Signs the certificates of kubelets; undefined: any certificate is accepted. */
  readonly authority: string | undefined;
  /** How long connecting to a kubelet may take, in milliseconds. */
  readonly timeoutMs: number;
}

export interface ConnectionsOptions {
  readonly egress: Egress;
  readonly kubelets: KubeletTrust;
  readonly clock: Clock;
}

export interface SentRequest {
  readonly method: string;
  readonly headers: SentHeaders;
  readonly signal: AbortSignal;
}

/** Upstream: client-go's and apiserver's dialers. */
const CONNECT_MS = 30_000;
const MAXIMUM_IDLE_CONNECTIONS = 32;
const IDLE_MS = 30_000;
/** More than a kubelet sends at once. */
const LARGEST_MESSAGE = 1024 * 1024;

/** The connections to kubelets, pods and endpoints. Idle ones are kept for a moment. */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #agents = new Map<Trust, EgressAgent>();
  #plain: PlainEgressAgent | undefined;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** Opens a request; the caller ends it. It fails when the egress rules deny the address, or connecting takes too long. */
  open(destination: Destination, { method, headers, signal }: SentRequest): ClientRequest {
    const { scheme, host, port, trust } = destination;
    const common = {
      host,
      port,
      method,
      path: targetOf(destination),
      headers: headers as RequestOptions['headers'] & SentHeaders,
      signal,
    };
    const { forwarded } = destination;
    const opened =
      forwarded !== undefined
        ? plainRequest({ ...common, createConnection: () => this.#forward(forwarded, destination) })
        : scheme === 'https'
          ? request({ ...common, agent: this.#agentOf(trust) })
          : plainRequest({ ...common, agent: this.#plainAgent() });
    if (headers['connection'] === undefined) opened.removeHeader('connection');
    const { clock, kubelets } = this.#options;
    // The WebSocket that forwards has a limit of its own.
    if (forwarded === undefined) limitConnecting(opened, clock, trust === 'anyone' ? CONNECT_MS : kubelets.timeoutMs);
    return limitInterimAnswers(opened);
  }

  /** Closes idle connections. Those in use end with their requests. */
  close(): void {
    for (const agent of [...this.#agents.values(), this.#plain]) agent?.destroy();
    this.#agents.clear();
  }

  /** A connection to the port of a pod through its kubelet, with TLS in it where the pod speaks that. */
  #forward(pod: ForwardedPod, { scheme, port }: Destination): Duplex {
    const socket = new ForwardedConnection(this.#openWebSocket(pod, port));
    return scheme === 'https' ? connectTls({ socket, ...this.#tlsOf('anyone') }) : socket;
  }

  /** Loads the library only when a server has simulated pods. */
  async #openWebSocket(pod: ForwardedPod, port: number): Promise<WebSocket> {
    const { WebSocket } = await import('ws');
    const target = { ...pod.kubelet, ...portForwardTarget(pod, [port]), trust: 'kubelet' } as const;
    return new WebSocket(urlOf(target).replace(/^https/, 'wss'), FORWARDING_PROTOCOL, {
      agent: this.#agentOf('kubelet'),
      handshakeTimeout: this.#options.kubelets.timeoutMs,
      maxPayload: LARGEST_MESSAGE,
      perMessageDeflate: false,
    });
  }

  #plainAgent(): PlainEgressAgent {
    this.#plain ??= new PlainEgressAgent(this.#options.egress, keeping);
    return this.#plain;
  }

  #agentOf(trust: Trust): EgressAgent {
    const known = this.#agents.get(trust);
    if (known !== undefined) return known;
    const agent = new EgressAgent(this.#options.egress, { ...keeping, ...this.#tlsOf(trust) });
    this.#agents.set(trust, agent);
    return agent;
  }

  /** Only kubelets can be verified. The server knows nothing but the address of a pod or an endpoint. */
  #tlsOf(trust: Trust): SecureContextOptions & Pick<ConnectionOptions, 'rejectUnauthorized'> {
    const { client, authority } = this.#options.kubelets;
    const identity =
      trust === 'anyone' || client === undefined ? {} : { cert: client.certificate, key: client.privateKey };
    if (trust !== 'kubelet' || authority === undefined) return { ...identity, rejectUnauthorized: false };
    return { ...identity, ca: authority, allowPartialTrustChain: true };
  }
}

const keeping = { keepAlive: true, maxFreeSockets: MAXIMUM_IDLE_CONNECTIONS, timeout: IDLE_MS };

/** Fails a request that is not connected in time. */
function limitConnecting(opened: ClientRequest, clock: Clock, milliseconds: number): void {
  opened.once('socket', (socket) => {
    // The agent's timeout is for idle connections, but would also end requests.
    socket.setTimeout(0);
    if (!socket.connecting) return;
    const isTls = 'encrypted' in socket;
    const timer = clock.setTimer(() => opened.destroy(new ConnectTimeout()), milliseconds);
    const connected = (): void => timer[Symbol.dispose]();
    socket.once(isTls ? 'secureConnect' : 'connect', connected).once('close', connected);
  });
}

/** In Go's words. */
class ConnectTimeout extends Error {
  override readonly name = 'ConnectTimeout';

  constructor() {
    super('dial tcp: i/o timeout');
  }
}
