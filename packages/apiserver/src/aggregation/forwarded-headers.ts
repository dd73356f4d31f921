import type { IncomingHttpHeaders } from 'node:http';
import { posix } from 'node:path';
import { encodeHeader, parseWebSocketProtocols, type UserInfo } from '../authentication/index.js';

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
export interface ClientRequest {
  readonly headers: IncomingHttpHeaders;
  headerValues(name: string): readonly string[];
  readonly remoteAddress: string;
}

/** The headers in which a front proxy names the user to this server, in lower case. */
export interface UserHeaders {
  readonly names: readonly string[];
  readonly prefixes: readonly string[];
}

export interface ForwardOptions {
  readonly user: UserInfo;
  readonly auditId: string;
  /** `host:port` of the backend. */
  readonly authority: string;
  /** Percent-encoded. */
  readonly path: string;
  readonly userHeaders: UserHeaders;
  readonly upgrade: boolean;
  /** Whether the client's body goes to the backend. */
  readonly hasBody: boolean;
}

/** The headers of the request that goes to the backend. Upstream: kube-aggregator `handler_proxy.go` and Go's proxy. */
export function forwardedHeaders(request: ClientRequest, options: ForwardOptions): SentHeaders {
  const { auditId, authority, path, userHeaders, upgrade, hasBody } = options;
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
  return {
    ...sent,
    host: authority,
    'audit-id': encodeHeader(auditId),
    ...(forwarded.length === 0 ? {} : { 'x-forwarded-for': encodeHeader(forwarded.join(', ')) }),
    'x-forwarded-host': authority,
    'x-forwarded-proto': 'https',
    'x-forwarded-uri': posix.join('/', path),
    ...userHeadersOf(options.user),
  };
}

/** The headers that name a user to an extension API server. Upstream: client-go `SetAuthProxyHeaders`. */
export function userHeadersOf({ name, uid, groups, extra }: UserInfo): SentHeaders {
  const sent: SentHeaders = { 'x-remote-user': encodeHeader(name) };
  if (uid !== '') sent['x-remote-uid'] = encodeHeader(uid);
  if (groups.length > 0) sent['x-remote-group'] = groups.map(encodeHeader);
  for (const [key, values] of Object.entries(extra)) {
    const header = `${EXTRA_PREFIX}${escapeKey(key).toLowerCase()}`;
    sent[header] = [sent[header] ?? [], values.map(encodeHeader)].flat();
  }
  return sent;
}

/** The headers of an answer that reach the client. Node.js has joined repeated ones: HTTP/2 refuses some of them. */
export function returnedHeaders(headers: IncomingHttpHeaders): SentHeaders {
  const isDropped = droppedBy(headers, { names: [], prefixes: [] });
  const sent: SentHeaders = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !isDropped(name)) sent[name] = value;
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
function upgradeHeaders({ headers }: ClientRequest): SentHeaders {
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

/** Escapes `%` and the bytes that the name of a header must not contain. */
function escapeKey(key: string): string {
  return Array.from(Buffer.from(key), (byte) => {
    const character = String.fromCharCode(byte);
    return /[!#$&'*+\-.^_`|~0-9A-Za-z]/.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}
