import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';

const TOKEN_PROTOCOL = 'base64url.bearer.authorization.k8s.io.';
const BASE64URL = /^[A-Za-z0-9_-]*$/;

/** Whether a request asks to upgrade to a WebSocket. Upstream: `IsWebSocketRequest` of `wsstream`. */
export function isWebSocketRequest(headers: IncomingHttpHeaders): boolean {
  if (headers.upgrade?.toLowerCase() !== 'websocket') return false;
  const options = headers.connection?.toLowerCase().split(',') ?? [];
  return options.some((option) => option.trim() === 'upgrade');
}

export interface WebSocketProtocols {
  /**
   * The token of the bearer sub-protocol. Undefined if absent or empty; `''` if malformed, repeated or without another
   * sub-protocol, and then the request must be refused.
   */
  readonly token: string | undefined;
  /** The sub-protocols that the server may select, in the client's order. */
  readonly others: readonly string[];
}

/**
 * Parses `Sec-WebSocket-Protocol`. A token may appear once, and only beside another sub-protocol that the server can
 * select.
 * Upstream: apiserver `pkg/authentication/request/websocket`.
 */
export function parseWebSocketProtocols(header: string): WebSocketProtocols {
  const names = header.trim() === '' ? [] : header.split(',').map((name) => name.trim());
  const others = names.filter((name) => !name.startsWith(TOKEN_PROTOCOL));
  const tokens = names.filter((name) => name.startsWith(TOKEN_PROTOCOL));
  const [encoded] = tokens.map((name) => name.slice(TOKEN_PROTOCOL.length));
  if (encoded === undefined || (encoded === '' && tokens.length === 1)) return { token: undefined, others };
  const bytes = Buffer.from(encoded, 'base64url');
  const wellFormed = tokens.length === 1 && BASE64URL.test(encoded) && encoded.length % 4 !== 1 && isUtf8(bytes);
  return { token: wellFormed && others.length > 0 ? bytes.toString() : '', others };
}
