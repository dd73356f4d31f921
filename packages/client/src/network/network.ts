import { abortable, type Clock, type Random } from '@binnacle/apimachinery/clock';
import { asError } from '@binnacle/apimachinery/errors';
import {
  ConnectionError,
  type SendOptions,
  type TransportRequest,
  type TransportResponse,
} from '../transport/index.js';
import { conflictAnswer, expiredAnswer, failureAnswer, type WholeAnswer } from './answers.js';
import { atRest } from './at-rest.js';
import type { NetworkFaults } from './faults.js';
import { type RequestFacts, requestFacts } from './request-facts.js';
import type { RequestLog } from './request-log.js';
import { WatchStream } from './watch-stream.js';

/** How late a slow write is at most, in milliseconds. */
const WRITE_DELAY = 5000;

/** The server unpacks them in another thread, whose work {@link atRest} does not see. They never wait for the clock. */
const COMPRESSED_DOCUMENTS = '/openapi/';

/** A sender of requests. */
export interface NetworkClient {
  readonly user: string;
  readonly groups: readonly string[];
  /** Its requests may be logged, and faults apply to them. */
  readonly isLoop: boolean;
  /** Fires when its process is killed: what it has sent takes effect, but it gets no answer. */
  readonly killed: AbortSignal;
  /** Whether its machine has no connection at the moment. Default: it has. */
  readonly isCutOff?: () => boolean;
}

/** The server, as a function of a request with its user. */
export type SendToServer = (
  request: TransportRequest & {
    readonly user: {
      readonly name: string;
      readonly uid: string;
      readonly groups: readonly string[];
      readonly extra: Readonly<Record<string, readonly string[]>>;
    };
  },
  signal?: AbortSignal,
) => Promise<Omit<WholeAnswer, 'body'> & Pick<TransportResponse, 'body'>>;

interface Exchange<C> {
  readonly client: C;
  readonly request: TransportRequest;
  readonly facts: RequestFacts;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (response: TransportResponse) => void;
  readonly reject: (error: unknown) => void;
}

interface OpenWatch<C> {
  readonly client: C;
  /** Its number among all watches. */
  readonly opened: number;
}

export interface NetworkOptions<C> {
  readonly server: { readonly send: SendToServer };
  readonly clock: Clock;
  /** Decides on faults, and on the order of requests. */
  readonly random: Random;
  readonly faults: NetworkFaults;
  /** Keeps every request of the loops. Default: none is kept. */
  readonly log?: RequestLog;
  /** Whether any of the waiting requests is the next, or the one that was sent first. Default: the first. */
  readonly shuffles?: boolean;
  /** Called before the server gets a request. */
  readonly onSend?: (client: C, request: RequestFacts) => void;
  /** Called after each write, before its sender gets the answer and watches get the event. */
  readonly onWrite: (client: C, request: RequestFacts) => Promise<void>;
}

/**
 * The way of all requests to the server. It carries one request at a time, and waits until the server has sent the
 * events that follow from it. So a seed always gives the same run.
 */
export class Network<C extends NetworkClient = NetworkClient> {
  /** May change at any time. */
  faults: NetworkFaults;
  readonly #options: NetworkOptions<C>;
  readonly #waiting: (() => Promise<void>)[] = [];
  /** The streams that have events for their clients, in any order. */
  readonly #travelling = new Map<WatchStream, OpenWatch<C>>();
  #opened = 0;
  #isCarrying = false;
  /** Resolves when the requests that are being carried have been. */
  #carried: Promise<void> = Promise.resolve();
  #othersWorking = 0;

  constructor(options: NetworkOptions<C>) {
    this.#options = options;
    this.faults = options.faults;
  }

  /** Sends a request when those before it have been carried. */
  send(client: C, request: TransportRequest, { signal }: SendOptions): Promise<TransportResponse> {
    const facts = requestFacts(request);
    const sent = new Promise<TransportResponse>((resolve, reject) => {
      const exchange = { client, request, facts, signal, resolve, reject };
      const enqueue = (): void => this.#enqueue(() => this.#carry(exchange).catch(reject));
      const { slowWrites, writeDelay = WRITE_DELAY } = this.faults;
      if (client.isLoop && facts.isWrite && this.#happens(slowWrites))
        this.#options.clock.setTimer(enqueue, Math.ceil(this.#options.random.number() * writeDelay));
      else enqueue();
    });
    return abortable(abortable(sent, signal), client.killed);
  }

  /** Resolves when no request is under way but those that wait for the clock, and the server has nothing more to send. */
  async settled(): Promise<void> {
    do {
      // A turn of the event loop before that would find work each time.
      while (this.#isCarrying) await this.#carried;
      await atRest();
    } while (this.#isCarrying || this.#othersWorking > 0);
  }

  /** Nothing is settled before this work has ended. It must send no request. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#othersWorking++;
    try {
      return await work;
    } finally {
      this.#othersWorking--;
    }
  }

  #enqueue(act: () => Promise<void>): void {
    this.#waiting.push(act);
    if (!this.#isCarrying) this.#carried = this.#carryAll();
  }

  async #carryAll(): Promise<void> {
    this.#isCarrying = true;
    // All that is sent at this moment takes part in the choice of the first.
    if (this.#options.shuffles === true) await atRest();
    for (let act = this.#next(); act !== undefined; act = this.#next()) {
      await act();
      // The receiver acts before the next request, so that the order does not depend on the speed of the server.
      await atRest();
    }
    this.#isCarrying = false;
    // Events that came in the last turn.
    this.#flush();
  }

  #next(): (() => Promise<void>) | undefined {
    if (this.#options.shuffles !== true || this.#waiting.length < 2) return this.#waiting.shift();
    return this.#waiting.splice(Math.floor(this.#options.random.number() * this.#waiting.length), 1)[0];
  }

  async #carry(exchange: Exchange<C>): Promise<void> {
    const { client, request, facts, signal, resolve, reject } = exchange;
    if (signal?.aborted === true || client.killed.aborted) return;
    if (client.isCutOff?.() === true) return reject(new ConnectionError('broken', 'no connection to the server'));
    if (client.isLoop) {
      const { clock, log } = this.#options;
      log?.add({ ...facts, user: client.user, at: clock.now() });
      const refusal = this.#refusal(facts);
      if (refusal !== undefined) return resolve(responseOf(refusal));
    }
    this.#options.onSend?.(client, facts);
    if (facts.verb === 'watch')
      return this.#unlessItWaits(this.#watch(client, request, signal), exchange, (response) => {
        this.#flush();
        resolve(response);
      });
    const isLost = client.isLoop && facts.isWrite && this.#happens(this.faults.lostAnswers);
    const answering = this.#exchange(client, request);
    if (request.path.startsWith(COMPRESSED_DOCUMENTS)) await answering.catch(() => undefined);
    await this.#unlessItWaits(answering, exchange, async (answer) => {
      if (facts.isWrite && answer.status < 400) await this.#options.onWrite(client, facts);
      const answersFirst = this.#options.random.number() < 0.5;
      if (!answersFirst) this.#flush();
      if (isLost) reject(new ConnectionError('broken', 'the answer is lost'));
      else resolve(responseOf(answer));
      if (!answersFirst) return;
      await atRest();
      this.#flush();
    });
  }

  /** Hands a result over when the server rests. One that needs time is handed over when it comes, and others pass it. */
  async #unlessItWaits<T>(
    work: Promise<T>,
    { reject }: Exchange<C>,
    handOver: (result: T) => void | Promise<void>,
  ): Promise<void> {
    const state: { isLate: boolean; over?: () => void | Promise<void> } = { isLate: false };
    const end = (over: () => void | Promise<void>): void => {
      state.over = over;
      if (state.isLate) this.#enqueue(async () => over());
    };
    work.then(
      (result) => end(() => handOver(result)),
      (error: unknown) => end(() => reject(error)),
    );
    await atRest();
    state.isLate = true;
    await state.over?.();
  }

  async #exchange({ user, groups }: C, request: TransportRequest): Promise<WholeAnswer> {
    const sender = { name: user, uid: '', groups, extra: {} };
    const { status, headers, body } = await this.#options.server.send({ ...request, user: sender });
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return { status, headers, body: Buffer.concat(chunks) };
  }

  async #watch(client: C, request: TransportRequest, signal: AbortSignal | undefined): Promise<TransportResponse> {
    const over = new AbortController();
    const ended = AbortSignal.any([over.signal, client.killed, ...(signal === undefined ? [] : [signal])]);
    const sender = { name: client.user, uid: '', groups: client.groups, extra: {} };
    const asked = { ...request, path: withoutBookmarks(request.path), user: sender };
    const { status, headers, body } = await this.#options.server.send(asked, ended);
    const stream = new WatchStream(this.#options.clock);
    void this.#receive({ client, opened: this.#opened++ }, stream, body).finally(() => this.#travelling.delete(stream));
    const cancel = () => over.abort(new Error('the client has left'));
    return { status, headers, body: endingWith(stream.read(ended), cancel), cancel };
  }

  async #receive(watch: OpenWatch<C>, stream: WatchStream, body: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const chunk of body) {
        const delay = watch.client.isLoop ? (this.faults.watchDelay ?? 0) : 0;
        if (stream.add(chunk, delay) > 0) this.#travelling.set(stream, watch);
        // Without a request under way, it is the clock that has made the server send.
        if (delay > 0) this.#options.clock.setTimer(() => this.#flush(), delay);
        else if (!this.#isCarrying) this.#flush();
        if (stream.hasEnded) break;
      }
      stream.end();
    } catch (error) {
      stream.end(asError(error));
    }
  }

  /** In the order in which the watches were opened, so that a seed gives the same run. */
  #flush(): void {
    if (this.#travelling.size === 0) return;
    const streams = [...this.#travelling].sort(([, a], [, b]) => a.opened - b.opened);
    for (const [stream, { client }] of streams) {
      const breaks = () => client.isLoop && this.#happens(this.faults.brokenWatches);
      stream.flush(() => (breaks() ? new ConnectionError('broken', 'the watch breaks') : undefined));
      if (stream.isEmpty || stream.hasEnded) this.#travelling.delete(stream);
    }
  }

  /** The answer to a request that the server never gets. */
  #refusal(facts: RequestFacts): WholeAnswer | undefined {
    const { verb, isWrite } = facts;
    const { expiredWatches, failedWrites, conflicts } = this.faults;
    if (verb === 'watch' && this.#happens(expiredWatches)) return expiredAnswer();
    if (isWrite && this.#happens(failedWrites)) return failureAnswer();
    if ((verb === 'update' || verb === 'patch') && this.#happens(conflicts)) return conflictAnswer(facts);
    return undefined;
  }

  /** Takes a random number only where the fault can happen. */
  #happens(share = 0): boolean {
    return share > 0 && this.#options.random.number() < share;
  }
}

async function* endingWith(body: AsyncIterable<Uint8Array>, end: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    end();
  }
}

/** A bookmark a minute for each watch would be most of the work of a virtual week. This server keeps all history, so none is needed. */
function withoutBookmarks(path: string): string {
  return path.includes('sendInitialEvents') ? path : path.replace(/&?allowWatchBookmarks=true/, '');
}

function responseOf({ status, headers, body }: WholeAnswer): TransportResponse {
  return { status, headers, body: one(body), cancel: () => undefined };
}

async function* one(body: Uint8Array): AsyncGenerator<Uint8Array> {
  if (body.length > 0) yield body;
}
