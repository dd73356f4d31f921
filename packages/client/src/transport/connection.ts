import type { SendOptions, TransportRequest, TransportResponse } from './exchange.js';

/** One or more connections that take requests. */
export interface Connection {
  /** May it be given another request now? */
  readonly available: boolean;
  /** Will it never again take requests? */
  readonly ended: boolean;
  send(request: TransportRequest, options: SendOptions): Promise<TransportResponse>;
  /** Takes no new requests, and ends when those under way have. */
  retire(): void;
  /** Ends now. */
  destroy(): void;
}
