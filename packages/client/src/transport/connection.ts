import type { SendOptions, TransportRequest, TransportResponse } from './exchange.js';

/** One connection, or several, that carry requests. */
export interface Connection {
  /** Whether it can take another request now. */
  readonly available: boolean;
  /** Whether it will never take requests again. */
  readonly ended: boolean;
  send(request: TransportRequest, options: SendOptions): Promise<TransportResponse>;
  /** Takes no new requests, and ends when the running ones have ended. */
  retire(): void;
  /** Ends at once. */
  destroy(): void;
}
