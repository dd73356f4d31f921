/** Limits on the cost of one client. Times are in milliseconds, sizes in bytes. */
export interface HttpLimits {
  /** From the end of the request's head to the end of its body. */
  readonly bodyTimeout: number;
  /** From the opened connection, or the previous request, to the end of the request's head; also the TLS handshake. */
  readonly headersTimeout: number;
  /** The bytes of a TLS handshake that a client may send, if the server requests client certificates. */
  readonly maxHandshakeBytes: number;
  /** A connection is closed after this time without requests. */
  readonly idleTimeout: number;
  /**
   * HTTP/1.1: how long work on a request continues after the client has ended its side. Upstream cancels the request at once,
   * so that some clients get no answer.
   */
  readonly halfClosedTimeout: number;
  /** From the end of the work on a short answer until the client has read it. Long answers have their request's deadline. */
  readonly answerTimeout: number;
  /** The memory of unread short answers on all connections. Above it, the oldest are broken off. */
  readonly maxUnsentBytes: number;
  /** The memory of heads that are not complete, on all connections. Above it, large ones are cut off. */
  readonly maxUnfinishedHeadBytes: number;
  /** Further connections are closed. */
  readonly maxConnections: number;
  /** HTTP/1.1: pipelined requests that wait, on all connections. Above it, a connection that sends another one is closed. */
  readonly maxWaitingRequests: number;
  readonly maxHeaderSize: number;
  /** A request with more lines is refused, because short lines cost far more than their bytes. */
  readonly maxHeaderLines: number;
  /** HTTP/2 streams of one connection. */
  readonly maxConcurrentStreams: number;
  /** HTTP/2: bytes of one request's body in flight. */
  readonly streamWindow: number;
}

/** Upstream: apiserver `pkg/server/secure_serving.go`. */
export const defaultLimits: HttpLimits = {
  bodyTimeout: 60_000,
  headersTimeout: 32_000,
  maxHandshakeBytes: 12 * 1024,
  idleTimeout: 90_000,
  maxHeaderSize: 1024 * 1024,
  maxHeaderLines: 10_000,
  maxConcurrentStreams: 100,
  streamWindow: 256 * 1024,
  halfClosedTimeout: 5000,
  answerTimeout: 60_000,
  maxUnsentBytes: 256 * 1024 * 1024,
  maxUnfinishedHeadBytes: 256 * 1024 * 1024,
  maxConnections: 20_000,
  maxWaitingRequests: 10_000,
};
