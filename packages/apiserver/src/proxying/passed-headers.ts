import type { IncomingHttpHeaders } from 'node:http';
import { encodeHeader, parseWebSocketProtocols } from '../authentication/index.js';

/** Headers to send, by lower-case name. Node.js sends one byte for each character of a value. */
export type SentHeaders = Record<string, string | readonly string[]>;

/** Headers that concern one connection. Upstream: Go's `httputil.ReverseProxy`. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** Credentials for this server, and headers on which it has acted. The backend learns the user only from the proxy. */
const CONSUMED: ReadonlySet<string> = new Set([
  'authorization',
  'expect',
  'host',
  'http2-settings',
  'sec-websocket-protocol',
]);
const LENGTH = 'content-length';
const EXTRA_PREFIX = 'x-remote-extra-';

/** The headers of a request as its client sent them. */
export interface ProxiedRequest {
  readonly headers: IncomingHttpHeaders;
  headerValues(name: string): readonly string[];
  readonly remoteAddress: string;
}

/** The headers in which a front proxy names the user to this server, in lower case. */
export interface UserHeaders {
  readonly names: readonly string[];
  readonly prefixes: readonly string[];
}

export interface PassOptions {
  readonly userHeaders: UserHeaders;
  readonly upgrade: boolean;
  /** Whether the client's body goes to the backend. */
  readonly hasBody: boolean;
}

/**
 * The headers of a client that a backend may see, and where the request comes from. No credential for this server and no
 * identity that it has acted on is among them. The caller adds `host`.
 * Upstream: Go's `httputil.ReverseProxy`; apiserver removes credentials where it reads them.
 */
export function passedHeaders(request: ProxiedRequest, { userHeaders, upgrade, hasBody }: PassOptions): SentHeaders {
  const isDropped = droppedBy(request.headers, userHeaders);
  const sent: SentHeaders = {};
  for (const name of Object.keys(request.headers)) {
    if (!isDropped(name)) sent[name] = request.headerValues(name).map(encodeHeader);
  }
  if (hasToken(request.headers.te, 'trailers')) sent['te'] = 'trailers';
  if (upgrade) Object.assign(sent, upgradeHeaders(request));
  // A backend that expects a body takes the next request for one, and the other way round. Node.js
  // neither checks the length nor adds the encoding for every method.
  if (!hasBody) delete sent[LENGTH];
  else if (sent[LENGTH] === undefined) sent['transfer-encoding'] = 'chunked';
  const forwarded = [...request.headerValues('x-forwarded-for'), request.remoteAddress].filter((text) => text !== '');
  if (forwarded.length > 0) sent['x-forwarded-for'] = encodeHeader(forwarded.join(', '));
  return sent;
}

/** Only this server says which other origins may use it. Upstream: apimachinery `removeCORSHeaders`. */
const CORS: ReadonlySet<string> = new Set(
  ['credentials', 'headers', 'methods', 'origin'].map((name) => `access-control-allow-${name}`),
);

/** The headers of an answer that reach the client. Node.js has joined repeated ones: HTTP/2 refuses some of them. */
export function returnedHeaders(headers: IncomingHttpHeaders): SentHeaders {
  const isDropped = droppedBy(headers, { names: [], prefixes: [] });
  const sent: SentHeaders = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !isDropped(name) && !CORS.has(name)) sent[name] = value;
  }
  return sent;
}

function droppedBy(headers: IncomingHttpHeaders, { names, prefixes }: UserHeaders): (name: string) => boolean {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  const isUserHeader = (name: string): boolean =>
    /^x-remote-(user|uid|group)$/.test(name) ||
    name.startsWith(EXTRA_PREFIX) ||
    name.startsWith('impersonate-') ||
    names.includes(name) ||
    prefixes.some((prefix) => name.startsWith(prefix));
  return (name) =>
    name.startsWith(':') || HOP_BY_HOP.has(name) || CONSUMED.has(name) || named.has(name) || isUserHeader(name);
}

/** A token in a sub-protocol is a credential for this server. */
function upgradeHeaders({ headers }: ProxiedRequest): SentHeaders {
  const { others } = parseWebSocketProtocols(headers['sec-websocket-protocol'] ?? '');
  return {
    connection: 'Upgrade',
    upgrade: headers.upgrade ?? '',
    ...(others.length === 0 ? {} : { 'sec-websocket-protocol': others.join(', ') }),
  };
}

function hasToken(header: string | readonly string[] | undefined, token: string): boolean {
  const text = typeof header === 'string' ? header : (header ?? []).join();
  return text.split(',').some((each) => each.trim().toLowerCase() === token);
}
