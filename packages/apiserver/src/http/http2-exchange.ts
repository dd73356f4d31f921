import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { badRequest } from '@binnacle/apimachinery/status';
import { decodeHeader } from '../authentication/index.js';
import type { Exchange, PiecewiseBody, ResponseHeaders, ResponseStream } from '../request/index.js';
import { bodiless, bodyPieces, collectBody } from './body.js';
import { deadStream, outgoingHeaders, SinkStream, sendPieces } from './body-writer.js';
import { ExchangeBase } from './exchange-base.js';
import type { Peer } from './tls/peer-certificate.js';
import type { UnsentAnswer, UnsentAnswers } from './unsent-answers.js';

export interface Http2Options {
  readonly bodyTimeout: number;
  /** Short answers that clients have not read yet. */
  readonly unsent: UnsentAnswers;
  /** Called with the size of each body chunk that is read, and with 0 for a chunk that is dropped. */
  readonly received: (bytes: number) => void;
}

/** One HTTP/2 stream, on Node's stream API and not on its compatibility layer. */
export class Http2Exchange extends ExchangeBase implements Exchange, UnsentAnswer {
  readonly httpVersion = '2';
  readonly #stream: ServerHttp2Stream;
  /** Names and values alternate, in the order of the request. */
  readonly #rawHeaders: readonly string[];
  readonly #options: Http2Options;

  constructor(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    rawHeaders: readonly string[],
    peer: Peer,
    options: Http2Options,
  ) {
    super(headers[':method'] ?? 'GET', headers[':path'] ?? '/', headers, peer);
    headers.host ??= headers[':authority'];
    this.#stream = stream;
    this.#rawHeaders = rawHeaders;
    this.#options = options;
    stream.once('close', () => {
      options.unsent.delete(this);
      this.clientLeft();
    });
    // Nothing reads this body, and each frame costs many times its bytes.
    if (bodiless.has(this.method)) stream.on('data', () => options.received(0));
  }

  headerValues(name: string): readonly string[] {
    return this.#rawHeaders
      .filter((_, index) => index % 2 === 1 && this.#rawHeaders[index - 1] === name)
      .map(decodeHeader);
  }

  protected get isOver(): boolean {
    return this.#stream.closed || this.#stream.destroyed;
  }

  protected readWholeBody(limitBytes: number): Promise<Buffer> {
    if (this.#stream.endAfterHeaders || bodiless.has(this.method)) return Promise.resolve(Buffer.alloc(0));
    if (this.#stream.destroyed) return Promise.reject(badRequest('unexpected EOF'));
    const declared = this.headers['content-length'];
    const tooLarge = declared !== undefined && Number(declared) > limitBytes;
    if (!tooLarge && this.headers.expect?.toLowerCase() === '100-continue') {
      this.#stream.additionalHeaders({ ':status': 100 });
    }
    const stream = this.#stream;
    stream.on('data', (chunk: Buffer) => this.#options.received(chunk.length));
    return collectBody(
      stream,
      declared,
      limitBytes,
      this.#options.bodyTimeout,
      () => !stream.aborted && !stream.rstCode,
    );
  }

  requestBody(): AsyncIterable<Uint8Array> | undefined {
    const stream = this.#stream;
    if (stream.endAfterHeaders || bodiless.has(this.method)) return undefined;
    if (this.headers.expect?.toLowerCase() === '100-continue') stream.additionalHeaders({ ':status': 100 });
    const { received } = this.#options;
    return bodyPieces(stream, () => !stream.aborted && !stream.rstCode, received);
  }

  respond(status: number, headers: ResponseHeaders, body: Uint8Array | string): void {
    if (!this.#begin(status)) return;
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    if (this.#startBody(status, headers, bytes.length)) {
      this.markSent(bytes.length);
      this.#stream.end(bytes);
    }
    this.#options.unsent.add(this, this.bodyBytes);
  }

  async respondPieces(status: number, headers: ResponseHeaders, body: PiecewiseBody): Promise<void> {
    if (!this.#begin(status)) return;
    if (this.#startBody(status, headers, body.length)) {
      await sendPieces(this.#stream, body, (bytes) => this.markSent(bytes));
    }
  }

  respondStream(status: number, headers: ResponseHeaders): ResponseStream {
    if (!this.#begin(status)) return deadStream;
    const stream = this.#stream;
    const head = outgoingHeaders(headers);
    head[':status'] = status;
    stream.respond(head);
    const sent = this.method === 'HEAD' ? undefined : (bytes: number): void => this.markSent(bytes);
    return new SinkStream(stream, sent, () => stream.destroy(brokenOff()));
  }

  breakOff(): void {
    this.#stream.destroy(brokenOff());
  }

  destroy(): void {
    if (this.answered && !this.#stream.writableEnded) this.#stream.destroy(brokenOff());
  }

  protected closeConnection(): void {
    this.#stream.session?.destroy();
  }

  /** Sends the head. True when a body follows; otherwise the answer has ended. */
  #startBody(status: number, headers: ResponseHeaders, length: number | undefined): boolean {
    const bodiless = status === 204 || status === 304;
    const silent = bodiless || this.method === 'HEAD' || length === 0;
    const head = outgoingHeaders(headers, bodiless ? undefined : length);
    head[':status'] = status;
    this.#stream.respond(head, { endStream: silent });
    return !silent;
  }

  /** Whether the answer may start. Once the answer is sent, an unread body is refused. */
  #begin(status: number): boolean {
    const stream = this.#stream;
    if (this.answered || stream.destroyed || stream.closed) return false;
    this.markAnswered(status);
    if (!stream.endAfterHeaders && !stream.readableEnded) {
      stream.once('finish', () => stream.close(constants.NGHTTP2_NO_ERROR));
    }
    return true;
  }
}

/** Destroying a stream with an error resets it. `close` would first end the answer as if it were complete. */
function brokenOff(): Error {
  return new Error('the answer is broken off');
}
