import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { abortable, type Clock, Deadline, TimeoutError } from '@binnacle/apimachinery/clock';
import { StatusError } from '@binnacle/apimachinery/status';
import type { WebhookClientConfig } from '@binnacle/api/types/admissionregistration-v1';
import { type Egress, EgressAgent } from '../egress/index.js';
import { LONG_ANSWER_BYTES, type LongAnswers } from './long-answers.js';
import { describeFailure, describeStatus, failureIn, WebhookCallError } from './call-error.js';
import { redirectedTarget, type Target, targetOf } from './call-target.js';
import type { ServiceResolver } from './service-resolver.js';

export interface WebhookClientOptions {
  readonly resolve: ServiceResolver;
  /** The addresses that may be called. */
  readonly egress: Egress;
  readonly maximumAnswerBytes: number;
  /** Shared by all clients of a server. */
  readonly longAnswers: LongAnswers;
  readonly clock: Clock;
}

/** When a call ends at the latest. */
export interface CallLimits {
  readonly timeoutSeconds: number;
  /** Milliseconds of monotonic time. Default: none. */
  readonly deadline?: number;
  /** Ends the call with the request that needs it. */
  readonly signal?: AbortSignal;
}

/** The maximum of concurrent calls; others wait. */
const CONNECTIONS = 32;
/** Upstream: Go's `http.Client`. */
const REDIRECTS = 10;
/** The part of an error response that the message includes. */
const SHOWN_BYTES = 2048;

/** A client for one webhook: posts JSON to the configured address over persistent connections. */
export class WebhookClient {
  readonly #config: WebhookClientConfig;
  readonly #options: WebhookClientOptions;
  readonly #agent: EgressAgent;
  #underWay = 0;
  #closed = false;

  constructor(config: WebhookClientConfig, options: WebhookClientOptions) {
    this.#config = config;
    this.#options = options;
    const bundle = Buffer.from(config.caBundle ?? '', 'base64').toString('utf8');
    this.#agent = new EgressAgent(options.egress, {
      keepAlive: true,
      maxSockets: CONNECTIONS,
      maxFreeSockets: CONNECTIONS,
      // As in Go, a bundle may hold the server's own certificate. envtest's does.
      ...(bundle.trim() === '' ? {} : { ca: bundle, allowPartialTrustChain: true }),
    });
  }

  /**
   * Posts JSON and resolves with the response body, which is not empty. Rejects with a {@link WebhookCallError}. The
   * pieces of the body are not copied, so that many calls may share large ones.
   */
  async post(body: readonly Uint8Array[], { timeoutSeconds, deadline, signal }: CallLimits): Promise<Buffer> {
    const { clock } = this.#options;
    const left = (deadline ?? Number.POSITIVE_INFINITY) - clock.monotonic();
    const milliseconds = Math.max(0, Math.min(timeoutSeconds * 1000, left));
    const named = this.#named(`?timeout=${String(Math.ceil(milliseconds / 1000))}s`);
    using limit = new Deadline(clock, milliseconds, signal, named.url);
    this.#underWay++;
    try {
      return await this.#call(named, body, limit.signal);
    } finally {
      this.#underWay--;
      this.#closeWhenIdle();
    }
  }

  /** Closes the connections after the calls in progress. */
  close(): void {
    this.#closed = true;
    this.#closeWhenIdle();
  }

  #closeWhenIdle(): void {
    if (this.#closed && this.#underWay === 0) this.#agent.destroy();
  }

  /** Validation of stored URLs follows Go, and is more lenient. */
  #named(query: string): Target {
    try {
      return targetOf(this.#config, query);
    } catch (error) {
      throw new WebhookCallError(`Unparsable URL: ${describeFailure(error)}`, { cause: error });
    }
  }

  async #call(named: Target, body: readonly Uint8Array[], signal: AbortSignal): Promise<Buffer> {
    let shown = `Post "${named.url}"`;
    try {
      let target = await this.#reached(named, signal);
      let sent: readonly Uint8Array[] | undefined = body;
      for (let redirects = 0; ; redirects++) {
        const answer = await this.#exchangeOnce(target, sent, signal);
        if (answer.location === undefined) return bodyOf(answer);
        if (redirects === REDIRECTS) throw new Error(`stopped after ${REDIRECTS} redirects`);
        // As for browsers, only 307 and 308 keep the method and the body.
        if (answer.status < 307) sent = undefined;
        target = redirectedTarget(target, answer.location);
        shown = `${sent === undefined ? 'Get' : 'Post'} "${target.url}"`;
      }
    } catch (error) {
      if (error instanceof AnsweredError) throw error;
      const reason = signal.aborted ? describeEnd(signal.reason) : describeFailure(error);
      if (error instanceof BrokenAnswer) {
        const what = 'unexpected error when reading response body. Please retry. Original error:';
        throw new WebhookCallError(`${what} ${reason === 'EOF' ? 'unexpected EOF' : reason}`, { cause: error });
      }
      throw new WebhookCallError(`${shown}: ${reason}`, { cause: error });
    }
  }

  async #reached(target: Target, signal: AbortSignal): Promise<Target> {
    const { service } = this.#config;
    if (service === undefined) return target;
    const address = await abortable(this.#options.resolve(service), signal);
    return { ...target, ...address };
  }

  /** A kept connection may have been closed just before its next request, as Go's `http.Transport` knows too. */
  async #exchangeOnce(target: Target, body: readonly Uint8Array[] | undefined, signal: AbortSignal): Promise<Answer> {
    for (;;) {
      try {
        return await this.#exchange(target, body, signal);
      } catch (error) {
        if (!(error instanceof StaleConnection)) throw error;
        signal.throwIfAborted();
      }
    }
  }

  /** Without a body it is a GET. */
  #exchange(
    { host, port, path, serverName, authority }: Target,
    body: readonly Uint8Array[] | undefined,
    signal: AbortSignal,
  ) {
    return new Promise<Answer>((resolve, reject) => {
      const sent = request({
        agent: this.#agent,
        method: body === undefined ? 'GET' : 'POST',
        host,
        port,
        path,
        signal,
        ...(serverName === undefined ? {} : { servername: serverName }),
        headers: {
          host: authority,
          accept: 'application/json, */*',
          ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': lengthOf(body) }),
        },
      });
      let isAnswered = false;
      sent.on('error', (error: NodeJS.ErrnoException) => {
        const isStale = sent.reusedSocket && !isAnswered && error.code === 'ECONNRESET';
        reject(isStale ? new StaleConnection('stale', { cause: error }) : error);
      });
      sent.on('response', (message) => {
        isAnswered = true;
        this.#read(message, signal).then(resolve, (error: Error) => {
          sent.destroy();
          reject(error);
        });
      });
      for (const piece of body ?? []) sent.write(piece);
      sent.end();
    });
  }

  async #read(message: IncomingMessage, signal: AbortSignal): Promise<Answer> {
    const { maximumAnswerBytes, longAnswers } = this.#options;
    const pieces: Buffer[] = [];
    let length = 0;
    let turn: Disposable | undefined;
    try {
      for await (const piece of piecesOf(message)) {
        length += piece.length;
        if (length > maximumAnswerBytes) {
          throw new Error(`the answer is longer than ${String(maximumAnswerBytes)} bytes`);
        }
        if (length > LONG_ANSWER_BYTES) turn ??= await longAnswers.enter(signal);
        pieces.push(piece);
      }
    } finally {
      turn?.[Symbol.dispose]();
    }
    const { statusCode: status = 0, headers } = message;
    const { location } = headers;
    const contentType = headers['content-type'] ?? '';
    const redirects = location !== undefined && REDIRECT_STATUSES.has(status);
    return { status, contentType, location: redirects ? location : undefined, body: Buffer.concat(pieces) };
  }
}

const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

interface Answer {
  readonly status: number;
  readonly contentType: string;
  /** Where a redirect leads. */
  readonly location: string | undefined;
  readonly body: Buffer;
}

/** A kept connection was closed before it took the request. */
class StaleConnection extends Error {}

/** The connection broke in the middle of an answer. */
class BrokenAnswer extends Error {
  readonly code: string | undefined;
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  }
}

async function* piecesOf(message: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* message as AsyncIterable<Buffer>;
  } catch (error) {
    throw new BrokenAnswer(error);
  }
}

/** Why a call had to end. */
function describeEnd(reason: unknown): string {
  const timedOut = reason instanceof TimeoutError || (reason instanceof StatusError && reason.reason === 'Timeout');
  return timedOut ? 'context deadline exceeded' : 'context canceled';
}

/** The server responded with an error; the message therefore omits the request. */
class AnsweredError extends WebhookCallError {}

const lengthOf = (pieces: readonly Uint8Array[]): string => String(pieces.reduce((sum, { length }) => sum + length, 0));

/** The body of a successful answer. Upstream: client-go `rest/request.go`. */
function bodyOf({ status, contentType, body }: Answer): Buffer {
  if (status < 200 || status >= 300) {
    // Upstream shows only text.
    const isText = contentType === '' || contentType.startsWith('text/');
    const shown = isText ? body.subarray(0, SHOWN_BYTES).toString('utf8').trim() : 'unknown';
    throw new AnsweredError(failureIn(body) ?? describeStatus(status, shown), { code: status });
  }
  if (body.length > 0) return body;
  const what = `status code: ${String(status)} and content type: ${contentType}`;
  throw new AnsweredError(`0-length response with ${what}`);
}
