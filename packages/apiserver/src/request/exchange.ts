import type { IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import type { MessagePart } from '@binnacle/apimachinery/websocket';
import type { UserInfo, ValidityPeriod } from '../authentication/index.js';

/**
 * One request and its answer, the same over HTTP/1.1, over HTTP/2 and within the process. The handler owns it until it answers.
 */
export interface Exchange {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly url: string;
  /** By lower-case name. Repeated headers are joined by commas; see {@link headerValues}. */
  readonly headers: IncomingHttpHeaders;
  /** `1.1` or `2`. */
  readonly httpVersion: '1.1' | '2';
  /** The peer's verified certificate, if it presented one. */
  readonly peerCertificate: PeerCertificate | undefined;
  /** Why the peer's certificate was refused; undefined if it is accepted or absent. */
  readonly peerCertificateError: string | undefined;
  /** The same certificate, if an authority of front proxies has signed it. */
  readonly proxyCertificate: PeerCertificate | undefined;
  readonly remoteAddress: string;
  /** The user of a request from within the process, which needs no authentication. Requests from a network never have it. */
  readonly caller?: UserInfo;
  /** Aborts when the client has gone away or the server ends the request. */
  readonly signal: AbortSignal;
  /** Whether {@link signal} has aborted. To ask this creates no signal, which most reads never need. */
  readonly aborted: boolean;
  /** Whether the answer's head has been sent. */
  readonly answered: boolean;
  /** The status of the answer; 0 until there is one. */
  readonly status: number;
  /** The bytes of the answer's body so far, as sent. */
  readonly bodyBytes: number;
  /** Present when the client requests a WebSocket. A handler may accept that instead of answering. */
  readonly webSocket?: WebSocketUpgrade;
  /** Present when the client requests another protocol that a backend may speak: a WebSocket or SPDY. */
  readonly upgrade?: ProtocolUpgrade;

  /** Every value of a header, by its lower-case name, in the order of the request. From a network they are UTF-8. */
  headerValues(name: string): readonly string[];

  /**
   * The whole request body. Rejects with StatusError 413 past `limitBytes` without reading further, with 400 when the
   * client ends early, and with 408 when it is slower than the body timeout.
   */
  readBody(limitBytes: number): Promise<Buffer>;

  /** Calls `observe` once, with the status of the answer, when its head is sent. It must not throw. A second call replaces the first. */
  observeAnswer(observe: (status: number) => void): void;

  /** Calls `admit` with the length of the whole body before {@link readBody} resolves. What it throws rejects the read. */
  admitBody(admit: (bytes: number) => void): void;

  /**
   * The request body piece by piece, for a handler that passes it on instead of {@link readBody}; undefined if there is
   * none. The client is read as fast as the pieces are taken. Fails when the client ends early.
   */
  requestBody(): AsyncIterable<Uint8Array> | undefined;

  /**
   * Answers with a short body, at once. Header names are lower-case; this method sets content-length. HEAD sends no body.
   * Does nothing when the client has left or the request has been answered, for example by a timeout.
   */
  respond(status: number, headers: ResponseHeaders, body: Uint8Array | string): void;

  /**
   * The same with a body that is produced as the client reads. Settles when all of it is handed to the connection, or the
   * client has left. Rejects with the error of a piece; the caller must then break the answer off.
   */
  respondPieces(status: number, headers: ResponseHeaders, body: PiecewiseBody): Promise<void>;

  /** Answers with a stream, for watches. When {@link respond} would do nothing, the stream drops all writes. */
  respondStream(status: number, headers: ResponseHeaders): ResponseStream;

  /** The server ends the request: aborts {@link signal}. The owner of an open stream still has to end it. */
  abort(reason: Error): void;

  /** Breaks off an answer that has begun and not ended, so that the client sees an error. Otherwise does nothing. */
  destroy(): void;

  /** Closes the client's connection at once, with all its other requests. */
  disconnect(): void;
}

export interface ProtocolUpgrade {
  /**
   * Gives up the connection to the caller, which counts as the answer: `head` was read from it already. Undefined when
   * the client has left or is answered. The exchange's signal aborts when the connection closes.
   */
  take(): { readonly socket: Duplex; readonly head: Buffer } | undefined;
}

export interface WebSocketUpgrade {
  /**
   * Opens the WebSocket, which counts as the answer. Every write to the stream is one text message, its end is a clean
   * closure, and the exchange's signal aborts when it closes. Resolves with undefined after refusing an invalid handshake.
   * Call it once.
   */
  accept(): Promise<ResponseStream | undefined>;
  /**
   * The same for messages in both directions, with the first of the client's sub-protocols that is in `protocols`, where ''
   * is none. `isProtocolOptional` opens it also when the client names none of them.
   */
  open(protocols: readonly string[], isProtocolOptional?: boolean): Promise<WebSocketMessages | undefined>;
}

/**
 * An open WebSocket. Iterating yields the client's messages in parts, as they arrive, and ends when it closes; nothing is read
 * while a part waits. So a message may be of any length.
 */
export interface WebSocketMessages extends AsyncIterable<MessagePart> {
  /** The sub-protocol; '' = none. */
  readonly protocol: string;
  /** Sends a binary message, or a text. Settles when the connection takes more; rejects when the client has left. */
  send(message: Uint8Array | string): Promise<void>;
  /** Closes it cleanly, behind what was sent. */
  close(): void;
  /** Breaks the connection. */
  destroy(): void;
}

/** A body that is produced while it is sent, so that it is never in memory as a whole. */
export interface PiecewiseBody {
  /** The bytes of all pieces; undefined if they are known only afterwards. */
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
  /** The same for several chunks. A WebSocket sends each as a message. The chunks must not change afterwards. */
  writeAll(chunks: readonly Uint8Array[]): boolean;
  /** Resolves when more may be written, rejects when the client has left. */
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
  /** The validity period of each chain from this certificate to an authority. */
  readonly validity: readonly ValidityPeriod[];
}
