import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { messageOf } from '@binnacle/apimachinery/errors';
import { type Egress, EgressAgent, limitInterimAnswers } from '../egress/index.js';
import type { Target } from './call-target.js';
import { LONG_ANSWER_BYTES, type LongAnswers } from './long-answers.js';
import { redirectIn, type WebhookAnswer } from './webhook-answer.js';

export interface WebhookConnectionsOptions {
  /** The addresses that may be called. */
  readonly egress: Egress;
  readonly maximumAnswerBytes: number;
  /** Shared by all clients of a server. */
  readonly longAnswers: LongAnswers;
}

/** How the two ends of a connection prove who they are. All are PEM. */
export interface Trust {
  /** The authorities of the server's certificate. Empty: those of the system. */
  readonly caBundle: string;
  /** The client certificate of this server, if it has one, and its key. */
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
  /** Whether any certificate of the server will do. Default: false. */
  readonly skipsVerification?: boolean | undefined;
}

/** The maximum of concurrent calls; others wait. */
const CONNECTIONS = 32;

/** The persistent HTTPS connections to one webhook. */
export class WebhookConnections {
  readonly #options: WebhookConnectionsOptions;
  readonly #agent: EgressAgent;

  constructor(trust: Trust, options: WebhookConnectionsOptions) {
    const { caBundle, clientCertificate, clientKey, skipsVerification } = trust;
    this.#options = options;
    this.#agent = new EgressAgent(options.egress, {
      keepAlive: true,
      maxSockets: CONNECTIONS,
      maxFreeSockets: CONNECTIONS,
      // As in Go, a bundle may hold the server's own certificate. envtest's does.
      ...(caBundle.trim() === '' ? {} : { ca: caBundle, allowPartialTrustChain: true }),
      ...(clientCertificate === undefined ? {} : { cert: clientCertificate, key: clientKey }),
      ...(skipsVerification === true ? { rejectUnauthorized: false } : {}),
    });
  }

  /**
   * Posts the body, or sends a GET without one, and reads the whole answer. Rejects with {@link BrokenAnswer} when the
   * connection breaks in the middle of it.
   *
   * A kept connection may have been closed just before its next request. As in Go's `http.Transport`, such a request is
   * sent again.
   */
  async exchange(target: Target, body: readonly Uint8Array[] | undefined, signal: AbortSignal): Promise<WebhookAnswer> {
    for (;;) {
      try {
        return await this.#exchangeOnce(target, body, signal);
      } catch (error) {
        if (!(error instanceof StaleConnection)) throw error;
        signal.throwIfAborted();
      }
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #exchangeOnce(
    { host, port, path, serverName, authority, authorization, headers }: Target,
    body: readonly Uint8Array[] | undefined,
    signal: AbortSignal,
  ) {
    return new Promise<WebhookAnswer>((resolve, reject) => {
      const sent = request({
        agent: this.#agent,
        method: body === undefined ? 'GET' : 'POST',
        host,
        port,
        path,
        signal,
        ...(serverName === undefined ? {} : { servername: serverName }),
        headers: {
          ...headers,
          host: authority,
          accept: 'application/json, */*',
          ...(authorization === undefined ? {} : { authorization }),
          ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': lengthOf(body) }),
        },
      });
      let isAnswered = false;
      limitInterimAnswers(sent).on('error', (error: NodeJS.ErrnoException) => {
        const isStale = sent.reusedSocket && !isAnswered && error.code === 'ECONNRESET';
        reject(isStale ? new StaleConnection('stale', { cause: error }) : error);
      });
      sent.on('response', (message) => {
        isAnswered = true;
        readAnswer(message, this.#options, signal).then(resolve, (error: Error) => {
          sent.destroy();
          reject(error);
        });
      });
      // The request asks for no other protocol, so a 101 is an ordinary answer without a body.
      sent.on('upgrade', (message, socket) => {
        isAnswered = true;
        socket.destroy();
        resolve(answerOf(message, []));
      });
      // Node may destroy a request without an error event, and the signal no longer ends such a request.
      sent.on('close', () => {
        if (!isAnswered) reject(new Error('EOF'));
      });
      for (const piece of body ?? []) sent.write(piece);
      sent.end();
    });
  }
}

/** Reads a bounded answer. It waits for a turn of the {@link LongAnswers} as soon as the answer is long. */
export async function readAnswer(
  message: Pick<IncomingMessage, 'statusCode' | 'headers'> & AsyncIterable<Buffer>,
  { maximumAnswerBytes, longAnswers }: Pick<WebhookConnectionsOptions, 'maximumAnswerBytes' | 'longAnswers'>,
  signal: AbortSignal,
): Promise<WebhookAnswer> {
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
  return answerOf(message, pieces);
}

function answerOf(
  { statusCode: status = 0, headers }: Pick<IncomingMessage, 'statusCode' | 'headers'>,
  pieces: readonly Buffer[],
): WebhookAnswer {
  const location = redirectIn(status, headers.location);
  return { status, contentType: headers['content-type'] ?? '', location, body: Buffer.concat(pieces) };
}

/** A kept connection was closed before it took the request. */
class StaleConnection extends Error {}

/** The connection broke in the middle of an answer. */
export class BrokenAnswer extends Error {
  readonly code: string | undefined;
  constructor(cause: unknown) {
    super(messageOf(cause), { cause });
    this.code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  }
}

async function* piecesOf(message: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* message;
  } catch (error) {
    throw new BrokenAnswer(error);
  }
}

const lengthOf = (pieces: readonly Uint8Array[]): string => String(pieces.reduce((sum, { length }) => sum + length, 0));
