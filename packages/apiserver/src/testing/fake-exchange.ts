import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Exchange, PeerCertificate, PiecewiseBody, ResponseHeaders, ResponseStream } from '../request/index.js';
import { clientGone, wholeBody } from '../http/index.js';

export interface FakeRequest {
  readonly method?: string;
  readonly url?: string;
  readonly headers?: IncomingHttpHeaders;
  readonly peerCertificate?: PeerCertificate;
  readonly peerCertificateError?: string;
  readonly proxyCertificate?: PeerCertificate;
  readonly body?: string;
}

/** An exchange without a socket: tests hand it to handlers and read the answer off it. */
export class FakeExchange implements Exchange {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly httpVersion = '2';
  readonly peerCertificate: PeerCertificate | undefined;
  readonly peerCertificateError: string | undefined;
  readonly proxyCertificate: PeerCertificate | undefined;
  readonly remoteAddress = '192.0.2.1';
  readonly #request: FakeRequest;
  readonly #controller = new AbortController();
  #admitBody: (bytes: number) => void = () => undefined;
  #observeAnswer: (status: number) => void = () => undefined;
  answered = false;
  ended = false;
  destroyed = false;
  status = 0;
  /** The answer's headers. */
  responseHeaders: ResponseHeaders = {};
  readonly #chunks: Buffer[] = [];

  constructor(request: FakeRequest) {
    this.#request = request;
    this.method = request.method ?? 'GET';
    this.url = request.url ?? '/';
    this.headers = request.headers ?? {};
    this.peerCertificate = request.peerCertificate;
    this.peerCertificateError = request.peerCertificateError;
    this.proxyCertificate = request.proxyCertificate;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get aborted(): boolean {
    return this.signal.aborted;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  get bodyBytes(): number {
    return this.bytes.length;
  }

  get body(): string {
    return this.bytes.toString();
  }

  headerValues(name: string): readonly string[] {
    const value = this.headers[name];
    return value === undefined ? [] : [value].flat();
  }

  async readBody(): Promise<Buffer> {
    const body = Buffer.from(this.#request.body ?? '');
    this.#admitBody(body.length);
    return body;
  }

  admitBody(admit: (bytes: number) => void): void {
    this.#admitBody = admit;
  }

  observeAnswer(observe: (status: number) => void): void {
    this.#observeAnswer = observe;
  }

  requestBody(): AsyncIterable<Uint8Array> | undefined {
    const { body = '' } = this.#request;
    return body === '' ? undefined : Readable.from([Buffer.from(body)]);
  }

  respond(status: number, headers: ResponseHeaders, body: Uint8Array | string): void {
    const stream = this.respondStream(status, headers);
    stream.write(body);
    stream.end();
  }

  respondPieces(status: number, headers: ResponseHeaders, body: PiecewiseBody): Promise<void> {
    this.respond(status, headers, wholeBody(body));
    return Promise.resolve();
  }

  respondStream(status: number, headers: ResponseHeaders): ResponseStream {
    if (this.answered) throw new Error('answered twice');
    this.answered = true;
    this.status = status;
    this.#observeAnswer(status);
    this.responseHeaders = headers;
    return {
      pendingBytes: 0,
      write: (chunk) => this.#chunks.push(Buffer.from(chunk)) > 0,
      writeAll: (chunks) => this.#chunks.push(...chunks.map((chunk) => Buffer.from(chunk))) > 0,
      drained: () => Promise.resolve(),
      end: () => {
        this.ended = true;
      },
      destroy: () => this.destroy(),
    };
  }

  destroy(): void {
    if (this.answered && !this.ended) this.destroyed = true;
  }

  disconnect(): void {
    this.destroyed = true;
    this.#controller.abort(clientGone());
  }

  abort(reason: Error): void {
    this.#controller.abort(reason);
  }
}
