/** A request as a value: nothing in it is bound to a connection. */
export interface TransportRequest {
  readonly method: string;
  /** Path and query, from the first `/` on. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
}

export interface SendOptions {
  /** Ends the exchange, whether or not an answer has begun. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the whole answer must be there. Default: no limit. */
  readonly timeout?: number | undefined;
}

export interface TransportResponse {
  readonly status: number;
  /** Names in lower case; several of one name are joined by `, `. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** To be read once. Leaving the loop early ends the exchange; whoever does not read it must {@link cancel}. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Ends the exchange. Idempotent; nothing happens after the end of the body. */
  cancel(): void;
}

/** Rejects with a signal's reason, a `TimeoutError` or a {@link ConnectionError}. Every status is an answer. */
export type Send = (request: TransportRequest, options: SendOptions) => Promise<TransportResponse>;

/** What programs talk to one server through. */
export interface Transport extends AsyncDisposable {
  send(request: TransportRequest, options?: SendOptions): Promise<TransportResponse>;
  /** Ends all connections, and with them what is under way. Idempotent. */
  close(): Promise<void>;
}

/**
 * How far a request came that got no answer: `connecting`, no connection; `unprocessed`, the server says that it has done nothing;
 * `broken`, it may or may not have acted.
 */
export type ConnectionStage = 'connecting' | 'unprocessed' | 'broken';

/** The network or the other side failed, and there is no answer, or only a part of it. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly stage: ConnectionStage;

  constructor(stage: ConnectionStage, message: string, options?: ErrorOptions) {
    super(message, options);
    this.stage = stage;
  }
}

/** `GET https://host/path`, for messages. Without the query, which may hold what should not be logged. */
export function describeRequest(request: TransportRequest): string {
  return `${request.method} ${request.path.replace(/\?.*/s, '')}`;
}
