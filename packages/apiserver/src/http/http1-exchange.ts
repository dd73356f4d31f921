import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { decodeHeader } from '../authentication/index.js';
import type { Exchange, PiecewiseBody, ResponseHeaders, ResponseStream } from '../request/index.js';
import { afterEnd } from './after-end.js';
import { bodiless, bodyPieces, collectBody } from './body.js';
import { clientGone, deadStream, outgoingHeaders, sendPieces } from './body-writer.js';
import { ExchangeBase } from './exchange-base.js';
import type { Peer } from './tls/peer-certificate.js';
import type { UnsentAnswer, UnsentAnswers } from './unsent-answers.js';
import { linger } from './linger.js';
import { SlicedStream } from './sliced-stream.js';

export interface Http1Options {
  readonly bodyTimeout: number;
  readonly halfClosedTimeout: number;
  /** The client waits for `100 Continue` before it sends its body. */
  readonly expectsContinue: boolean;
  /** Short answers that clients have not read yet. */
  readonly unsent: UnsentAnswers;
  /** The server is shutting down: every answer closes its connection. */
  isDraining(): boolean;
}

export class Http1Exchange extends ExchangeBase implements Exchange, UnsentAnswer {
  readonly httpVersion = '1.1';
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #options: Http1Options;

  constructor(request: IncomingMessage, response: ServerResponse, peer: Peer, options: Http1Options) {
    super(request.method ?? 'GET', request.url ?? '/', request.headers, peer);
    this.#request = request;
    this.#response = response;
    this.#options = options;
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    const stopWaiting = afterEnd(request.socket, options.halfClosedTimeout, () => {
      if (!this.answered) this.disconnect();
    });
    response.once('close', () => {
      stopWaiting();
      options.unsent.delete(this);
      this.clientLeft();
    });
    // An unread body would stay in memory for as long as the answer takes.
    if (bodiless.has(this.method)) request.resume();
  }

  headerValues(name: string): readonly string[] {
    return (this.#request.headersDistinct[name] ?? []).map(decodeHeader);
  }

  protected get isOver(): boolean {
    return this.#response.destroyed || this.#response.writableFinished;
  }

  protected readWholeBody(limitBytes: number): Promise<Buffer> {
    if (bodiless.has(this.method)) return Promise.resolve(Buffer.alloc(0));
    const declared = this.headers['content-length'];
    const tooLarge = declared !== undefined && Number(declared) > limitBytes;
    if (this.#options.expectsContinue && !tooLarge && !this.answered) this.#response.writeContinue();
    const request = this.#request;
    return collectBody(request, declared, limitBytes, this.#options.bodyTimeout, () => request.complete);
  }

  requestBody(): AsyncIterable<Uint8Array> | undefined {
    if (bodiless.has(this.method) || !hasBody(this.headers)) return undefined;
    if (this.#options.expectsContinue && !this.answered) this.#response.writeContinue();
    const request = this.#request;
    return bodyPieces(request, () => request.complete);
  }

  respond(status: number, headers: ResponseHeaders, body: Uint8Array | string): void {
    if (!this.#begin(status)) return;
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    if (this.#startBody(status, headers, bytes.length)) {
      this.markSent(bytes.length);
      this.#response.end(bytes);
    }
    this.#options.unsent.add(this, this.bodyBytes);
  }

  async respondPieces(status: number, headers: ResponseHeaders, body: PiecewiseBody): Promise<void> {
    if (!this.#begin(status)) return;
    if (this.#startBody(status, headers, body.length)) {
      await sendPieces(this.#response, body, (bytes) => this.markSent(bytes));
    }
  }

  respondStream(status: number, headers: ResponseHeaders): ResponseStream {
    if (!this.#begin(status)) return deadStream;
    const response = this.#response;
    response.writeHead(status, outgoingHeaders(headers));
    response.flushHeaders();
    this.#abortAtEnd();
    const sent = this.method === 'HEAD' ? undefined : (bytes: number): void => this.markSent(bytes);
    return new SlicedStream(response, sent, () => response.destroy());
  }

  breakOff(): void {
    this.#response.destroy();
  }

  destroy(): void {
    if (this.answered && !this.#response.writableEnded) this.#response.destroy();
  }

  protected closeConnection(): void {
    this.#request.socket.destroy();
  }

  /** Sends the head. True when a body follows; otherwise the answer has ended. */
  #startBody(status: number, headers: ResponseHeaders, length: number | undefined): boolean {
    const bodiless = status === 204 || status === 304;
    this.#response.writeHead(status, outgoingHeaders(headers, bodiless ? undefined : length));
    const silent = bodiless || this.method === 'HEAD';
    if (silent) this.#response.end();
    return !silent;
  }

  /** A watch ends when its client has ended its side. */
  #abortAtEnd(): void {
    const { socket } = this.#request;
    const abort = (): void => this.abort(clientGone());
    if (socket.readableEnded) abort();
    else socket.once('end', abort);
    this.#response.once('close', () => socket.off('end', abort));
  }

  /** Whether the answer may start. The connection closes after it if the rest of the request is unread. */
  #begin(status: number): boolean {
    const response = this.#response;
    if (this.answered || response.destroyed || response.headersSent) return false;
    this.markAnswered(status);
    const unread = !this.#request.complete && hasBody(this.headers);
    if (unread || this.#options.isDraining()) response.setHeader('connection', 'close');
    if (unread) {
      const { socket } = this.#request;
      response.once('finish', () => linger(socket));
    }
    return true;
  }
}

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
