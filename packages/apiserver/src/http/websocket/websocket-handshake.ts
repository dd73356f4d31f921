import type { IncomingHttpHeaders } from 'node:http';
import { parseWebSocketProtocols } from '../../authentication/index.js';

/** The name of a sub-protocol: a token of HTTP. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const KEY = /^[+/0-9A-Za-z]{22}==$/;

/** An accepted WebSocket, with the sub-protocol that the client named, if any. */
export interface AcceptedHandshake {
  readonly protocol: string | undefined;
}

/** A refused WebSocket: the answer in plain HTTP. */
export interface RefusedHandshake {
  readonly status: 400 | 403;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * Validates an opening handshake. A client must name an origin, which may be any, and may name any one sub-protocol besides
 * the one that carries its token. Upstream: `golang.org/x/net/websocket`, as the watch handler uses it.
 */
export function validateHandshake(headers: IncomingHttpHeaders): AcceptedHandshake | RefusedHandshake {
  if (!KEY.test(headers['sec-websocket-key'] ?? '')) return refused('mismatch challenge/response');
  if (headers['sec-websocket-version'] !== '13') {
    return { ...refused('missing or bad WebSocket Version'), headers: { 'sec-websocket-version': '13' } };
  }
  if (!isOrigin(headers.origin ?? '')) return { status: 403, headers: {}, text: '' };
  const protocol = parseWebSocketProtocols(headers['sec-websocket-protocol'] ?? '').others.join();
  if (protocol === '') return { protocol: undefined };
  return TOKEN.test(protocol) ? { protocol } : refused('');
}

/**
 * Validates an opening handshake for messages in both directions. The client may have any origin, and names the sub-protocols
 * that it speaks; without one in common it is refused, unless `isProtocolOptional`.
 * Upstream: `wsstream.Conn`, and the upgrader of `streamtunnel.go`.
 */
export function negotiateHandshake(
  headers: IncomingHttpHeaders,
  protocols: readonly string[],
  isProtocolOptional: boolean,
): AcceptedHandshake | RefusedHandshake {
  if (headers['sec-websocket-version'] !== '13') {
    return { ...refused('missing or bad WebSocket Version'), headers: { 'sec-websocket-version': '13' } };
  }
  if (!KEY.test(headers['sec-websocket-key'] ?? '')) return refused('missing or bad WebSocket-Key');
  const { others } = parseWebSocketProtocols(headers['sec-websocket-protocol'] ?? '');
  const named = others.length === 0 ? [''] : others;
  const protocol = named.find((name) => protocols.includes(name));
  if (protocol === undefined && !isProtocolOptional) return { status: 403, headers: {}, text: '' };
  return { protocol: protocol === '' ? undefined : protocol };
}

function refused(text: string): RefusedHandshake {
  return { status: 400, headers: {}, text };
}

function isOrigin(origin: string): boolean {
  return origin.startsWith('/') || (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(origin) && URL.canParse(origin));
}
