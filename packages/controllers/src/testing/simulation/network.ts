import { abortable, type Random, settle, type VirtualClock } from '@binnacle/apimachinery/clock';
import type { RunningServer } from '@binnacle/apiserver';
import {
  ConnectionError,
  type SendOptions,
  type TransportRequest,
  type TransportResponse,
} from '@binnacle/client/transport';
import type { SimulationFaults } from './faults.js';
import { conflictAnswer, expiredAnswer, failureAnswer, type WholeAnswer } from './answers.js';
import { type RequestFacts, requestFacts } from './request-facts.js';
import { RequestLog } from './request-log.js';
import { WatchStream } from './watch-stream.js';

/** Turns of the event loop without traffic after which the server has nothing more to send. */
const QUIET_TURNS = 6;

/** A sender of requests. */
export interface Client {
  readonly user: string;
  readonly groups: readonly string[];
  /** Its requests are logged, and faults apply to them. */
  readonly isLoop: boolean;
  /** Fires when its process is killed: what it has sent takes effect, but it gets no answer. */
  readonly killed: AbortSignal;
}

interface Exchange {
  readonly client: Client;
  readonly request: TransportRequest;
  readonly facts: RequestFacts;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (response: TransportResponse) => void;
  readonly reject: (error: unknown) => void;
}

export interface NetworkOptions {
  readonly server: Pick<RunningServer, 'send'>;
  readonly clock: VirtualClock;
  /** Decides on faults. */
  readonly random: Random;
  readonly faults: SimulationFaults;
  /** Called after each write, before its sender and the watches hear of it. */
  readonly onWrite: (client: Client, request: RequestFacts) => Promise<void>;
}

/**
 * The way of all requests to the server. It carries one request at a time, and waits until the server has sent the
 * events that follow from it, so that a run with the same seed is the same run.
 */
export class Network {
  readonly log = new RequestLog();
  /** Tests may change them at any time. */
  faults: SimulationFaults;
  readonly #options: NetworkOptions;
  readonly #waiting: Exchange[] = [];
  readonly #watches = new Map<WatchStream, Client>();
  #isCarrying = false;
  #othersWorking = 0;
  #traffic = 0;

  constructor(options: NetworkOptions) {
    this.#options = options;
    this.faults = options.faults;
  }

  /** Sends a request when those before it have been answered. */
  send(client: Client, request: TransportRequest, { signal }: SendOptions): Promise<TransportResponse> {
    const sent = new Promise<TransportResponse>((resolve, reject) => {
      this.#waiting.push({ client, request, facts: requestFacts(request), signal, resolve, reject });
      if (!this.#isCarrying) void this.#carryAll();
    });
    return abortable(abortable(sent, signal), client.killed);
  }

  /** Resolves when no request is under way and the server has nothing more to send. */
  async settled(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS; ) {
      const before = this.#traffic;
      await settle();
      const isWorking = this.#isCarrying || this.#othersWorking > 0;
      quiet = isWorking || this.#traffic !== before ? 0 : quiet + 1;
    }
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

  async #carryAll(): Promise<void> {
    this.#isCarrying = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      try {
        await this.#carry(next);
      } catch (error) {
        next.reject(error);
      }
      // The receiver acts before the next request, so that the order does not depend on the speed of the server.
      await settle();
    }
    this.#isCarrying = false;
    // Events that came in the last turn.
    this.#flush();
  }

  async #carry({ client, request, facts, signal, resolve, reject }: Exchange): Promise<void> {
    if (signal?.aborted === true || client.killed.aborted) return;
    this.#traffic++;
    if (client.isLoop) {
      const { clock } = this.#options;
      this.log.add({ ...facts, user: client.user, at: clock.now() });
      const refusal = this.#refusal(facts);
      if (refusal !== undefined) return resolve(responseOf(refusal));
    }
    if (facts.verb === 'watch') return resolve(await this.#watch(client, request, signal));
    const answer = await this.#exchange(client, request);
    const isLost = client.isLoop && facts.isWrite && this.#happens(this.faults.lostAnswers);
    await this.#allSent();
    if (facts.isWrite && answer.status < 400) await this.#options.onWrite(client, facts);
    const answersFirst = this.#options.random.number() < 0.5;
    if (!answersFirst) this.#flush();
    if (isLost) reject(new ConnectionError('broken', 'the answer is lost'));
    else resolve(responseOf(answer));
    if (answersFirst) {
      await settle();
      this.#flush();
    }
  }

  async #exchange({ user, groups }: Client, request: TransportRequest): Promise<WholeAnswer> {
    const sender = { name: user, uid: '', groups, extra: {} };
    const { status, headers, body } = await this.#options.server.send({ ...request, user: sender });
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return { status, headers, body: Buffer.concat(chunks) };
  }

  async #watch(client: Client, request: TransportRequest, signal: AbortSignal | undefined): Promise<TransportResponse> {
    const over = new AbortController();
    const ended = AbortSignal.any([over.signal, client.killed, ...(signal === undefined ? [] : [signal])]);
    const sender = { name: client.user, uid: '', groups: client.groups, extra: {} };
    const asked = { ...request, path: withoutBookmarks(request.path), user: sender };
    const { status, headers, body } = await this.#options.server.send(asked, ended);
    const stream = new WatchStream(this.#options.clock);
    this.#watches.set(stream, client);
    void this.#receive(client, stream, body).finally(() => this.#watches.delete(stream));
    await this.#allSent();
    this.#flush();
    const cancel = () => over.abort(new Error('the client has left'));
    return { status, headers, body: endingWith(stream.read(ended), cancel), cancel };
  }

  async #receive(client: Client, stream: WatchStream, body: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const chunk of body) {
        this.#traffic++;
        const delay = client.isLoop ? (this.faults.watchDelay ?? 0) : 0;
        stream.add(chunk, delay);
        // Without a request under way, it is the clock that has made the server send.
        if (delay > 0) this.#options.clock.setTimer(() => this.#flush(), delay);
        else if (!this.#isCarrying) this.#flush();
        if (stream.hasEnded) break;
      }
      stream.end();
    } catch (error) {
      stream.end(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #flush(): void {
    for (const [stream, { isLoop }] of this.#watches) {
      const breaks = () => isLoop && this.#happens(this.faults.brokenWatches);
      stream.flush(() => (breaks() ? new ConnectionError('broken', 'the watch breaks') : undefined));
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

  /** Resolves when the server has sent all events of the last request. */
  async #allSent(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
      const before = this.#traffic;
      await settle();
      if (this.#traffic !== before) quiet = -1;
    }
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
