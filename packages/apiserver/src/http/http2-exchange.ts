import { badRequest } from '@binnacle/apimachinery/status';
import { decodeHeader } from '../authentication/index.js';
import type { Exchange, PiecewiseBody, ResponseHeaders, ResponseStream } from '../request/index.js';
import { bodyPieces, collectBody } from './body.js';
import { deadStream, outgoingHeaders, SinkStream, sendPieces } from './body-writer.js';
import { ExchangeBase } from './exchange-base.js';
import type { Http2Stream } from './http2/http2-stream.js';
import type { RequestBody } from './http2/request-body.js';
import type { Peer } from './tls/peer-certificate.js';
import type { UnsentAnswer, UnsentAnswers } from './unsent-answers.js';

export interface Http2Options {
  readonly bodyTimeout: number;
  /** Short answers that clients have not read yet. */
  readonly unsent: UnsentAnswers;
}

/** One HTTP/2 stream. */
export class Http2Exchange extends ExchangeBase implements Exchange, UnsentAnswer {
  readonly httpVersion = '2';
  readonly #stream: Http2Stream;
  readonly #options: Http2Options;
  /** Indexed on first use, because most requests never use it. */
  #headerValues: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(stream: Http2Stream, peer: Peer, options: Http2Options) {
    const { method, path, headers } = stream.request;
    super(method, path, headers, peer);
    this.#stream = stream;
    this.#options = options;
    stream.once('close', () => {
      options.unsent.delete(this);
      this.clientLeft();
    });
  }

  headerValues(name: string): readonly string[] {
    this.#headerValues ??= valuesByName(this.#stream.request.fields);
    return (this.#headerValues.get(name) ?? []).map(decodeHeader);
  }

  protected get isOver(): boolean {
    return this.#stream.destroyed;
  }

  protected readWholeBody(limitBytes: number): Promise<Buffer> {
    const { body, request } = this.#stream;
    if (body === undefined) return Promise.resolve(Buffer.alloc(0));
    if (body.destroyed) return Promise.reject(badRequest('unexpected EOF'));
    const declared = request.contentLength;
    if (declared === undefined || declared <= limitBytes) this.#continueBody(body);
    const declaredText = declared === undefined ? undefined : String(declared);
    return collectBody(body, declaredText, limitBytes, this.#options.bodyTimeout, () => this.#isWhole(body));
  }

  requestBody(): AsyncIterable<Uint8Array> | undefined {
    const { body } = this.#stream;
    if (body === undefined) return undefined;
    this.#continueBody(body);
    return bodyPieces(body, () => this.#isWhole(body));
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
    stream.respond(status, outgoingHeaders(headers));
    const sent = this.method === 'HEAD' ? undefined : (bytes: number): void => this.markSent(bytes);
    return new SinkStream(stream, sent, () => stream.destroy());
  }

  breakOff(): void {
    this.#stream.destroy();
  }

  destroy(): void {
    if (this.answered && !this.#stream.writableEnded) this.#stream.destroy();
  }

  protected closeConnection(): void {
    this.#stream.destroyConnection();
  }

  /** Some clients end a body before they reset its stream. */
  #isWhole(body: RequestBody): boolean {
    return body.isComplete && !this.#stream.destroyed;
  }

  #continueBody(body: RequestBody): void {
    const isExpected = this.headers.expect?.toLowerCase() === '100-continue';
    if (isExpected && !body.isComplete && !this.answered) this.#stream.sendContinue();
  }

  /** Sends the head. True when a body follows; otherwise the answer has ended. */
  #startBody(status: number, headers: ResponseHeaders, length: number | undefined): boolean {
    const isBodiless = status === 204 || status === 304;
    const isSilent = isBodiless || this.method === 'HEAD' || length === 0;
    this.#stream.respond(status, outgoingHeaders(headers, isBodiless ? undefined : length));
    if (isSilent) this.#stream.end();
    return !isSilent;
  }

  /** Whether the answer may start. */
  #begin(status: number): boolean {
    if (this.answered || this.#stream.destroyed) return false;
    this.markAnswered(status);
    return true;
  }
}

/** `fields`: names and values alternate. */
function valuesByName(fields: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (let at = 0; at < fields.length; at += 2) {
    const [name = '', value = ''] = [fields[at], fields[at + 1]];
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return values;
}
