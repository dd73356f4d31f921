import type { IncomingHttpHeaders } from 'node:http';
import type { PeerCertificate } from '../request/index.js';
import { clientGone } from './body-writer.js';
import type { Peer } from './tls/peer-certificate.js';

/** The common part of exchanges over all protocols: the peer, whether it is still connected, and a body that is read once. */
export abstract class ExchangeBase {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly #peer: Peer;
  #controller: AbortController | undefined = undefined;
  #body: Promise<Buffer> | undefined = undefined;
  #admitBody: ((bytes: number) => void) | undefined;
  #observeAnswer: ((status: number) => void) | undefined;
  #status = 0;
  #bodyBytes = 0;

  constructor(method: string, url: string, headers: IncomingHttpHeaders, peer: Peer) {
    this.method = method;
    this.url = url;
    this.headers = headers;
    this.#peer = peer;
  }

  /** Whether nothing can be sent to the client. */
  protected abstract get isOver(): boolean;

  protected abstract closeConnection(): void;

  protected abstract readWholeBody(limitBytes: number): Promise<Buffer>;

  get peerCertificate(): PeerCertificate | undefined {
    return this.#peer.certificate;
  }

  get peerCertificateError(): string | undefined {
    return this.#peer.certificateError;
  }

  get proxyCertificate(): PeerCertificate | undefined {
    return this.#peer.proxyCertificate;
  }

  get remoteAddress(): string {
    return this.#peer.address;
  }

  get answered(): boolean {
    return this.#status !== 0;
  }

  get status(): number {
    return this.#status;
  }

  get bodyBytes(): number {
    return this.#bodyBytes;
  }

  /** Created on first use, because most requests never use it. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.isOver) this.#controller.abort(clientGone());
    }
    return this.#controller.signal;
  }

  get aborted(): boolean {
    return this.#controller?.signal.aborted ?? this.isOver;
  }

  abort(reason: Error): void {
    this.#controller ??= new AbortController();
    this.#controller.abort(reason);
  }

  disconnect(): void {
    this.abort(clientGone());
    this.closeConnection();
  }

  readBody(limitBytes: number): Promise<Buffer> {
    this.#body ??= this.#admitted(this.readWholeBody(limitBytes));
    return this.#body;
  }

  admitBody(admit: (bytes: number) => void): void {
    this.#admitBody = admit;
  }

  observeAnswer(observe: (status: number) => void): void {
    this.#observeAnswer = observe;
  }

  #admitted(body: Promise<Buffer>): Promise<Buffer> {
    const admit = this.#admitBody;
    if (admit === undefined) return body;
    return body.then((bytes) => {
      admit(bytes.length);
      return bytes;
    });
  }

  protected clientLeft(): void {
    this.#controller?.abort(clientGone());
  }

  protected markAnswered(status: number): void {
    this.#status = status;
    this.#observeAnswer?.(status);
  }

  /** Counts bytes of the body that are handed to the connection. */
  protected markSent(bodyBytes: number): void {
    this.#bodyBytes += bodyBytes;
  }
}
