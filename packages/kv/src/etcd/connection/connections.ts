import {
  type ChannelCredentials,
  type ChannelOptions,
  Client,
  connectivityState,
  credentials,
  type ServiceError,
} from '@grpc/grpc-js';
import { Backoff, type Clock, type Random, sleep } from '@binnacle/apimachinery/clock';
import { closedError } from '../../engine/index.js';
import { statusMethod } from '../messages/cluster-messages.js';
import { CallDeadline } from './deadline.js';
import { type Endpoint, parseEndpoint } from './endpoint.js';
import type { EtcdTLSOptions } from '../options.js';

const CONNECT_TIMEOUT_MILLISECONDS = 3000;
/** Each pause is up to three times as long, so that the clients of a cluster do not all return at once. */
const FIRST_PAUSE_MILLISECONDS = 25;
const LONGEST_PAUSE_MILLISECONDS = 500;
const JITTER = 2;
/** The interval between pings as a share of the timeout of each. */
const PING_SHARE = 1 / 6;

/** More than the first page of a range: 200 values, each of which may be as large as etcd's default request limit. */
const LARGEST_ANSWER_BYTES = 512 * 1024 * 1024;

const commonOptions: ChannelOptions = {
  'grpc.max_receive_message_length': LARGEST_ANSWER_BYTES,
  'grpc.max_send_message_length': -1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2000,
  // Resolves the addresses of the cluster again at the next attempt if they changed.
  'grpc.dns_min_time_between_resolutions_ms': 1000,
  'grpc.service_config_disable_resolution': 1,
  // Each store has its own connections, and so its own share of etcd.
  'grpc.use_local_subchannel_pool': 1,
  'grpc.enable_http_proxy': 0,
  'grpc.client_idle_timeout_ms': 2_147_483_647,
  // HTTP/2's default of 64 KiB makes a large range wait for the network repeatedly.
  'grpc-node.flow_control_window': 16 * 1024 * 1024,
};

export interface ConnectionsOptions {
  readonly endpoints: readonly string[];
  readonly tls: EtcdTLSOptions | undefined;
  readonly silenceMilliseconds: number;
  readonly clock: Clock;
  readonly random: Random;
}

/** The members as requests and watches see them. */
export type Members = Pick<Connections, 'connected' | 'ready' | 'failed' | 'lastFault'>;

/**
 * The members of one cluster. One member serves everything until a fault is reported; then the next reachable one does.
 */
export class Connections {
  readonly #clients: readonly Client[];
  readonly #names: readonly string[];
  readonly #clock: Clock;
  readonly #random: Random;
  #current = 0;
  #connecting: Promise<Client> | undefined;
  #lastFault = 'no attempt has ended yet';
  readonly #givenUp = new AbortController();

  constructor({ endpoints: names, tls, silenceMilliseconds, clock, random }: ConnectionsOptions) {
    if (names.length === 0) throw new RangeError('etcd needs at least one endpoint');
    this.#names = names;
    this.#clock = clock;
    this.#random = random;
    const endpoints = names.map((name) => parseEndpoint(name, tls !== undefined));
    const secure = secureCredentials(tls);
    const plain = credentials.createInsecure();
    this.#clients = endpoints.map((endpoint) =>
      openClient(endpoint, endpoint.secure ? secure : plain, silenceMilliseconds),
    );
  }

  /** Why no member could be reached in the last attempt. */
  get lastFault(): string {
    return `none of ${this.#names.join(', ')} can be reached: ${this.#lastFault}`;
  }

  /** The current member, if it is connected. */
  connected(): Client | undefined {
    const client = this.#clients[this.#current];
    return client !== undefined && stateOf(client) === connectivityState.READY ? client : undefined;
  }

  /** A connected member, as soon as there is one. Rejects only when closed. */
  ready(): Promise<Client> {
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  /** Switches to the next member, unless that has already happened. */
  failed(client: Client): void {
    if (this.#clients[this.#current] === client) this.#current = (this.#current + 1) % this.#clients.length;
  }

  /** Stops connecting: waiting and later callers reject with `closed`. An existing connection stays open. */
  stopConnecting(): void {
    this.#givenUp.abort();
  }

  close(): void {
    this.stopConnecting();
    for (const client of this.#clients) client.close();
  }

  async #connect(): Promise<Client> {
    const backoff = new Backoff({
      initial: FIRST_PAUSE_MILLISECONDS,
      maximum: LONGEST_PAUSE_MILLISECONDS,
      jitter: { share: JITTER, random: this.#random },
    });
    for (;;) {
      const first = this.#current;
      for (let offset = 0; offset < this.#clients.length; offset += 1) {
        if (this.#givenUp.signal.aborted) throw closedError();
        const index = (first + offset) % this.#clients.length;
        const client = this.#clients[index];
        if (client === undefined || !(await this.#reached(client))) continue;
        this.#current = index;
        return client;
      }
      await sleep(this.#clock, backoff.next(), this.#givenUp.signal).catch(() => undefined);
    }
  }

  async #reached(client: Client): Promise<boolean> {
    // gRPC measures the whole attempt, because it connects in real time.
    const { wall } = new CallDeadline(this.#clock, CONNECT_TIMEOUT_MILLISECONDS);
    for (;;) {
      if (this.#givenUp.signal.aborted) throw closedError();
      const state = client.getChannel().getConnectivityState(true);
      if (state === connectivityState.READY) return true;
      if (state === connectivityState.TRANSIENT_FAILURE) {
        this.#lastFault = await faultOf(client, new CallDeadline(this.#clock, 1000));
        return false;
      }
      if (!(await changed(client, state, wall))) {
        this.#lastFault = `no connection within ${CONNECT_TIMEOUT_MILLISECONDS / 1000} s`;
        return false;
      }
    }
  }
}

/**
 * gRPC pings whatever the traffic, and closes the connection when a ping has no answer for `silenceMilliseconds`. A member may
 * fall silent right after a ping, so the time between pings adds to that.
 */
function openClient(
  { address }: Endpoint,
  channelCredentials: ChannelCredentials,
  silenceMilliseconds: number,
): Client {
  return new Client(address, channelCredentials, {
    ...commonOptions,
    'grpc.keepalive_time_ms': Math.ceil(silenceMilliseconds * PING_SHARE),
    'grpc.keepalive_timeout_ms': silenceMilliseconds,
  });
}

function secureCredentials(tls: EtcdTLSOptions | undefined): ChannelCredentials {
  const { certificateAuthority, certificate, privateKey } = tls ?? {};
  if ((certificate === undefined) !== (privateKey === undefined)) {
    throw new RangeError('a client certificate for etcd needs its private key, and a private key its certificate');
  }
  return credentials.createSsl(pem(certificateAuthority), pem(privateKey), pem(certificate));
}

function pem(bytes: Uint8Array | undefined): Buffer | null {
  return bytes === undefined ? null : Buffer.from(bytes);
}

function stateOf(client: Client): connectivityState {
  return client.getChannel().getConnectivityState(false);
}

/** Resolves with true when the channel leaves `state`, and with false at the deadline. */
function changed(client: Client, state: connectivityState, deadline: number): Promise<boolean> {
  return new Promise((resolve) => {
    client.getChannel().watchConnectivityState(state, deadline, (late) => resolve(late === undefined));
  });
}

/** A channel does not report why it could not connect; a request on it does. */
function faultOf(client: Client, { wall: deadline }: CallDeadline): Promise<string> {
  return new Promise((resolve) => {
    const { path, encode, decode } = statusMethod;
    client.makeUnaryRequest(path, encode, decode, undefined, { deadline }, (error: ServiceError | null) => {
      resolve(error?.details.replace(/^No connection established\. Last error: /, '') ?? 'the connection was lost');
    });
  });
}
