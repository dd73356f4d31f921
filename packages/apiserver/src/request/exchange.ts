import type { IncomingHttpHeaders } from 'node:http';
import type { UserInfo, ValidityPeriod } from '../authentication/index.js';

/**
 * One request and its answer, the same over HTTP/1.1, HTTP/2 and from within the process. The handler owns it until it has answered.
 */
export interface Exchange {
  readonly method: string;
  /** Path and query as they came, still percent-encoded. */
  readonly url: string;
  /** By lower-case name. A header that came several times is joined by commas; see {@link headerValues}. */
  readonly headers: IncomingHttpHeaders;
  /** `1.1` or `2`. */
  readonly httpVersion: '1.1' | '2';
  /** The peer's verified certificate, if it presented one. */
  readonly peerCertificate: PeerCertificate | undefined;
  /** Why the certificate that the peer presented is not in {@link peerCertificate}; undefined when it presented none. */
  readonly peerCertificateError: string | undefined;
  readonly remoteAddress: string;
  /** Who asks, where that is a part of this process, which is believed. Nothing that came over a network sets it. */
  readonly caller?: UserInfo;
  /** Aborts when the client has gone away or the server ends the request. */
  readonly signal: AbortSignal;
  /** Whether the answer's head has been sent. */
  readonly answered: boolean;
  /** Of the answer; 0 until there is one. */
  readonly status: number;
  /** Size of the answer's body, or of what there is of it so far, as it is sent. */
  readonly bodyBytes: number;
  /** Present when the client asks to go on as a WebSocket; a handler may grant that in place of an answer. */
  readonly webSocket?: WebSocketUpgrade;

  /** Every value of a header, by its lower-case name, in the order in which they came. Over a network they are UTF-8. */
  headerValues(name: string): readonly string[];

  /**
   * The whole request body. Rejects with StatusError 413 past `limitBytes` without reading further, with 400 when the
   * client ends early, and with 408 when it is slower than the body timeout.
   */
  readBody(limitBytes: number): Promise<Buffer>;

  /**
   * Answers with a short body, at once. Header names are lower-case; content-length is set here. HEAD sends no body. Does
   * nothing when the client has gone or the request has been answered (a timeout may have answered first).
   */
  respond(status: number, headers: ResponseHeaders, body: Uint8Array | string): void;

  /**
   * The same with a body that is made as the client takes it. Settles when all of it is on its way, or the client has gone.
   * Rejects with what kept a piece from being made: the answer is then to be broken off.
   */
  respondPieces(status: number, headers: ResponseHeaders, body: PiecewiseBody): Promise<void>;

  /** Answers as there is something to say (watches). Where {@link respond} does nothing, the stream is a dead one. */
  respondStream(status: number, headers: ResponseHeaders): ResponseStream;

  /** The server ends the request: aborts {@link signal}. What has been sent stays; whoever holds the stream ends it. */
  abort(reason: Error): void;

  /** Breaks an answer that has begun and not ended: the client sees an error. Nothing happens otherwise. */
  destroy(): void;

  /** Closes the client's connection at once, answered or not, with all else that is under way on it. */
  disconnect(): void;
}

export interface WebSocketUpgrade {
  /**
   * Opens the WebSocket, which counts as the answer: every write to the stream is one message of text, its end is a
   * clean closure, and the exchange's signal aborts when it closes. Resolves with undefined when the client's handshake
   * was at fault, and has been answered so. To be called once.
   */
  accept(): Promise<ResponseStream | undefined>;
}

/** A body that is made while it is sent, so that it is never in memory as a whole. */
export interface PiecewiseBody {
  /** The bytes of all pieces; undefined = not known before they are made. */
  readonly length: number | undefined;
  /**
   * A piece is valid until the next one is requested, because all may use the same memory. When the turn of the event
   * loop is over, a piece is short or empty, and the caller waits for a turn. Throws when a piece cannot be made.
   */
  pieces(): Iterable<Uint8Array>;
}

export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>;

export interface ResponseStream {
  /** Queues bytes; false when the client is behind, and the producer should wait for {@link drained} or drop the client. */
  write(chunk: Uint8Array | string): boolean;
  /** Resolves when more may be written, rejects when the client has gone. */
  drained(): Promise<void>;
  /** Bytes queued and not yet taken by the kernel. */
  readonly pendingBytes: number;
  end(): void;
  /** Breaks the stream: the client sees an error, not a clean end. */
  destroy(): void;
}

export interface PeerCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly uid?: string;
  /** SHA-256 of the certificate, lower-case hex. */
  readonly sha256?: string;
  /** For each chain that vouches for it, when all of the chain is valid. */
  readonly validity: readonly ValidityPeriod[];
}
