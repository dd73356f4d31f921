/** A request as a plain value, independent of connections. */
export interface TransportRequest {
  readonly method: string;
  /** Path and query, starting with `/`. */
  readonly path: string;
  /** Names are in lower case. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
}

export interface SendOptions {
  /** Ends the exchange, before or during the response. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the end of the response body. Default: no limit. */
  readonly timeout?: number | undefined;
}

export interface TransportResponse {
  readonly status: number;
  /** Names are in lower case; headers with the same name are joined by `, `. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Can be read once. Leaving the loop early ends the exchange. A caller that does not read it must {@link cancel}. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Ends the exchange. Idempotent; does nothing after the end of the body. */
  cancel(): void;
}

/** Resolves for a response of any status. Rejects with a signal's reason, a `TimeoutError` or a {@link ConnectionError}. */
export type Send = (request: TransportRequest, options: SendOptions) => Promise<TransportResponse>;

/** Sends requests to one server. */
export interface Transport extends AsyncDisposable {
  send(request: TransportRequest, options?: SendOptions): Promise<TransportResponse>;
  /** Ends all connections and running requests. Idempotent. */
  close(): Promise<void>;
}

/**
 * How far a failed request came. `connecting`: there was no connection. `unprocessed`: the server says that it did not act. `broken`: the outcome is
 * unknown.
 */
export type ConnectionStage = 'connecting' | 'unprocessed' | 'broken';

/** The network or the server failed before the end of the response. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly stage: ConnectionStage;

  constructor(stage: ConnectionStage, message: string, options?: ErrorOptions) {
    super(message, options);
    this.stage = stage;
  }
}

/** `GET /path`, for messages. Omits the query, which may hold secrets. */
export function describeRequest(request: TransportRequest): string {
  return `${request.method} ${request.path.replace(/\?.*/s, '')}`;
}
