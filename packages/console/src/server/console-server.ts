import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Clock } from '@binnacle/apimachinery/clock';
import { messageOf } from '@binnacle/apimachinery/errors';
import { DiscoveryClient } from '@binnacle/client/discovery';
import type { Transport } from '@binnacle/client/transport';
import { type Batch, KEY_HEADER, PATHS, type SessionInfo, type StartedFork } from '../model/index.js';
import { answerJson, answerText, DATA_HEADERS, PAGE_HEADERS } from './answers.js';
import { Feed } from './feed.js';
import { type Exchange, forward } from './forward.js';
import { keepsHistory } from './history-page.js';
import { watchableKinds } from './kinds.js';
import { PacedWriter } from './paced-writer.js';
import { type PageFile, readPageFiles } from './page-files.js';
import { pastRows, pointOf } from './past.js';
import { recentChanges } from './recent.js';
import { hostFault, originFault } from './request-rules.js';
import { Session } from './session.js';

const LOOPBACK = '127.0.0.1';
/** A browser sends its request at once. A connection without a request must not take the place of one that the page needs. */
const TIMEOUTS = { headersTimeout: 2000, requestTimeout: 60_000, connectionsCheckingInterval: 500 };
/** A page needs six at most. */
const MOST_CONNECTIONS = 64;

export interface ConsoleOptions {
  /** Reaches the API server with the user's credentials. */
  readonly transport: Transport;
  /** The URL of the API server, to show. */
  readonly server: string;
  /** Default: any free port. */
  readonly port?: number;
  readonly clock: Clock;
  /** Starts a server with the objects at a resourceVersion. Its errors are for people. Default: the page offers the command. */
  readonly startFork?: (version: string) => Promise<StartedFork>;
}

/** A running console. */
export interface RunningConsole extends AsyncDisposable {
  /** A link that opens the page in one browser, once. Each call invalidates the previous link. */
  newLink(): string;
  /** Resolves when all connections and watches have ended. Idempotent. */
  stop(): Promise<void>;
}

/** Starts the console. Rejects when the API server cannot be reached, or the port is taken. */
export async function startConsole(options: ConsoleOptions): Promise<RunningConsole> {
  const { transport, clock, port = 0 } = options;
  const stopping = new AbortController();
  // Each kind has a watch, and each page a stream.
  setMaxListeners(0, stopping.signal);
  const [files, surface, info] = await Promise.all([
    readPageFiles(),
    new DiscoveryClient(transport).surface(),
    sessionInfo(options, stopping.signal),
  ]);
  const feed = new Feed({ transport, kinds: watchableKinds(surface), clock });
  const http = createServer(TIMEOUTS);
  http.maxConnections = MOST_CONNECTIONS;
  const address = await listen(http, port);
  const session = new Session(address);
  const authority = `${LOOPBACK}:${address}`;
  const handler = new Handler({ ...options, authority, session, files, feed, info, stopping: stopping.signal });
  http.on('request', (request, response) => void handler.handle(request, response));
  const running = feed.run(stopping.signal);
  const stop = async (): Promise<void> => {
    stopping.abort(new Error('the console is stopping'));
    http.closeAllConnections();
    await Promise.all([running, new Promise((resolve) => http.close(resolve))]);
  };
  return {
    newLink: () => `http://${authority}/?token=${session.newToken()}`,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function sessionInfo(
  { transport, server, startFork }: ConsoleOptions,
  signal: AbortSignal,
): Promise<SessionInfo> {
  const [version, history] = await Promise.all([
    new DiscoveryClient(transport).serverVersion({ signal }),
    keepsHistory(transport, signal),
  ]);
  return {
    server,
    version: typeof version['gitVersion'] === 'string' ? version['gitVersion'] : '',
    history,
    forks: history && startFork !== undefined,
  };
}

async function listen(http: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, LOOPBACK, resolve);
  });
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('the console has no port');
  return address.port;
}

interface HandlerParts extends ConsoleOptions {
  readonly authority: string;
  readonly session: Session;
  readonly files: ReadonlyMap<string, PageFile>;
  readonly feed: Feed;
  readonly info: SessionInfo;
  readonly stopping: AbortSignal;
}

class Handler {
  readonly #parts: HandlerParts;

  constructor(parts: HandlerParts) {
    this.#parts = parts;
  }

  /** Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const closed = new AbortController();
    response.once('close', () => closed.abort(new Error('the page has closed the connection')));
    const gone = AbortSignal.any([closed.signal, this.#parts.stopping]);
    try {
      await this.#route({ request, response, gone });
    } catch (error) {
      if (gone.aborted) return;
      if (response.headersSent) response.destroy();
      else answerText(response, 502, messageOf(error));
    }
  }

  async #route(exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    const { method = '', url = '/', headers } = request;
    const { authority, session, files } = this.#parts;
    const hostProblem = hostFault(headers, authority);
    if (hostProblem !== undefined) return answerText(response, 403, hostProblem);
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    const parameters = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
    if (method === 'GET' && path === '/' && parameters.has('token')) {
      return this.#open(response, parameters.get('token') ?? '');
    }
    const file = method === 'GET' ? files.get(path) : undefined;
    if (file !== undefined) {
      response.writeHead(200, { ...PAGE_HEADERS, 'content-type': file.type });
      response.end(file.text);
      return undefined;
    }
    const originProblem = originFault(method, headers, authority);
    if (originProblem !== undefined) return answerText(response, 403, originProblem);
    const key = headers[KEY_HEADER];
    if (!session.admits(headers.cookie, typeof key === 'string' ? key : undefined)) {
      return answerText(response, 401, 'this page has no session: open the link that binnacle console prints');
    }
    if (path.startsWith(`${PATHS.forward}/`)) {
      return forward(this.#parts.transport, url.slice(PATHS.forward.length), exchange);
    }
    if (method === 'POST' && path === PATHS.forks) return this.#fork(response, parameters);
    if (method !== 'GET') return answerText(response, 405, 'the console only reads here');
    return this.#answer(path, parameters, exchange);
  }

  #open(response: ServerResponse, token: string): void {
    const opened = this.#parts.session.exchange(token);
    if (opened === undefined) {
      return answerText(response, 403, 'this link has been used: ask binnacle console for another one');
    }
    // The browser sends a fragment to no server, and shows it to no script of another origin.
    const headers = {
      location: `/#key=${opened.key}`,
      'set-cookie': `${opened.cookie}; HttpOnly; SameSite=Strict; Path=/`,
    };
    response.writeHead(303, { ...DATA_HEADERS, ...headers });
    response.end();
  }

  /** Continues when the page has gone, because the fork would have no kubeconfig. */
  async #fork(response: ServerResponse, parameters: URLSearchParams): Promise<void> {
    const { startFork } = this.#parts;
    const point = pointOf(parameters);
    if (point === undefined || !('version' in point)) return answerText(response, 400, 'give version=NUMBER');
    if (startFork === undefined) return answerText(response, 404, 'this console starts no forks');
    const { name, url, kubeconfig } = await startFork(point.version);
    return answerJson(response, { name, url, kubeconfig });
  }

  async #answer(path: string, parameters: URLSearchParams, exchange: Exchange): Promise<void> {
    const { transport, feed, info, clock } = this.#parts;
    const { response, gone } = exchange;
    switch (path) {
      case PATHS.session:
        return answerJson(response, info);
      case PATHS.live: {
        using subscription = feed.subscribe();
        return await stream(exchange, { kinds: feed.kinds }, subscription.batches(clock, gone));
      }
      case PATHS.past: {
        const point = pointOf(parameters);
        if (point === undefined) return answerText(response, 400, 'give version=NUMBER or time=RFC3339');
        return stream(exchange, {}, pastRows(transport, feed.kinds, point, gone));
      }
      case PATHS.recent:
        return stream(exchange, {}, recentChanges(transport, feed.kinds, gone));
      default:
        return answerText(response, 404, 'no such path');
    }
  }
}

/** One line of JSON for each batch, no faster than the page reads. An error is the last line. */
async function stream({ response, gone }: Exchange, first: Batch, batches: AsyncIterable<Batch>): Promise<void> {
  response.writeHead(200, { ...DATA_HEADERS, 'content-type': 'application/x-ndjson' });
  const writer = new PacedWriter(response, gone);
  await writer.write(`${JSON.stringify(first)}\n`);
  try {
    for await (const batch of batches) await writer.write(`${JSON.stringify(batch)}\n`);
  } catch (error) {
    if (gone.aborted) throw error;
    const last: Batch = { error: messageOf(error) };
    await writer.write(`${JSON.stringify(last)}\n`);
  }
  response.end();
}
