/** What one client may cost. Times are milliseconds, sizes are bytes. */
export interface HttpLimits {
  /** From the end of the request's head to the end of its body. */
  readonly bodyTimeout: number;
  /** From the opened connection, or the previous request, to the end of the request's head; also the TLS handshake. */
  readonly headersTimeout: number;
  /** What a client may send before its TLS handshake is over, where client certificates are asked for. */
  readonly maxHandshakeBytes: number;
  /** A connection without requests is closed after this. */
  readonly idleTimeout: number;
  /** From the end of the work on a short answer until the client has taken it. Long ones end with their request's deadline. */
  readonly answerTimeout: number;
  /** What short answers that their clients have not taken may hold, on all connections. Beyond it the oldest are broken off. */
  readonly maxUnsentBytes: number;
  /** A further one is closed. */
  readonly maxConnections: number;
  /** HTTP/1.1: requests that wait for others of their connections, together. A connection with a further one is closed. */
  readonly maxWaitingRequests: number;
  readonly maxHeaderSize: number;
  /** A request with more is refused. Short lines cost far more than their bytes. */
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
  answerTimeout: 60_000,
  maxUnsentBytes: 256 * 1024 * 1024,
  maxConnections: 20_000,
  maxWaitingRequests: 10_000,
};
