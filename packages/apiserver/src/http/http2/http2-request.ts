import type { IncomingHttpHeaders } from 'node:http';
import type { HeadProblem } from '../request-head.js';
import type { HeaderList } from './header-decoder.js';

/** The head of a request. */
export interface Http2Request {
  readonly method: string;
  readonly path: string;
  /** Joined as Node.js joins those of HTTP/1.1. Without pseudo-header fields. */
  readonly headers: IncomingHttpHeaders;
  /** Names and values alternate, in the order of the request. Without pseudo-header fields. */
  readonly fields: readonly string[];
  /** Bytes, as the request declares. */
  readonly contentLength: number | undefined;
  /** Why the request is refused in plain text. */
  readonly problem: HeadProblem | undefined;
}

const pseudoFields: ReadonlySet<string> = new Set([':method', ':scheme', ':authority', ':path']);
/** Only the first value counts. Node: `IncomingMessage.headers`. */
const singleFields: ReadonlySet<string> = new Set([
  'age',
  'authorization',
  'content-length',
  'content-type',
  'etag',
  'expires',
  'from',
  'host',
  'if-modified-since',
  'if-unmodified-since',
  'last-modified',
  'location',
  'max-forwards',
  'proxy-authorization',
  'referer',
  'retry-after',
  'server',
  'user-agent',
]);
/** In the order in which upstream looks for them. */
const connectionFields: readonly (readonly [name: string, canonicalName: string])[] = [
  ['connection', 'Connection'],
  ['keep-alive', 'Keep-Alive'],
  ['proxy-connection', 'Proxy-Connection'],
  ['transfer-encoding', 'Transfer-Encoding'],
  ['upgrade', 'Upgrade'],
];
const DIGITS = /^\d{1,15}$/;

/** Undefined for a malformed request, whose stream is reset. Upstream: Go's `net/http`, h2_bundle.go. */
export function readRequest(list: HeaderList): Http2Request | undefined {
  if (!list.isWellFormed) return undefined;
  if (list.isTooLarge) return tooLarge;
  const pseudo = readPseudoFields(list.fields);
  if (pseudo === undefined || !isTarget(pseudo)) return undefined;
  const fields = list.fields.slice(2 * pseudo.size);
  const contentLength = readContentLength(fields);
  if (contentLength === 'malformed') return undefined;
  const headers = joinFields(fields);
  const authority = pseudo.get(':authority');
  if (authority !== undefined && authority !== '') headers.host = authority;
  const method = pseudo.get(':method') ?? '';
  return { method, path: pseudo.get(':path') ?? '/', headers, fields, contentLength, problem: problemOf(headers) };
}

/** Whether fields may follow a body. */
export function areTrailers({ fields, isWellFormed, isTooLarge }: HeaderList): boolean {
  return isWellFormed && !isTooLarge && !fields.some((text, index) => index % 2 === 0 && text.startsWith(':'));
}

const tooLarge: Http2Request = {
  method: 'GET',
  path: '/',
  headers: {},
  fields: [],
  contentLength: undefined,
  problem: { status: 431, text: '431 Request Header Fields Too Large' },
};

/** They precede all other fields, each at most once. Undefined if they do not. */
function readPseudoFields(fields: readonly string[]): ReadonlyMap<string, string> | undefined {
  const pseudo = new Map<string, string>();
  for (let at = 0; at < fields.length; at += 2) {
    const name = fields[at] ?? '';
    if (!name.startsWith(':')) continue;
    if (pseudo.size * 2 !== at || pseudo.has(name) || !pseudoFields.has(name)) return undefined;
    pseudo.set(name, fields[at + 1] ?? '');
  }
  return pseudo;
}

function isTarget(pseudo: ReadonlyMap<string, string>): boolean {
  const method = pseudo.get(':method') ?? '';
  const path = pseudo.get(':path') ?? '';
  const scheme = pseudo.get(':scheme') ?? '';
  if (method === 'CONNECT') return path === '' && scheme === '' && (pseudo.get(':authority') ?? '') !== '';
  const isPath = path.startsWith('/') || (path === '*' && method === 'OPTIONS');
  return method !== '' && isPath && (scheme === 'https' || scheme === 'http');
}

function readContentLength(fields: readonly string[]): number | undefined | 'malformed' {
  const values = fields.filter((_, index) => index % 2 === 1 && fields[index - 1] === 'content-length');
  const [value] = values;
  if (value === undefined) return undefined;
  return values.length === 1 && DIGITS.test(value) ? Number(value) : 'malformed';
}

function joinFields(fields: readonly string[]): IncomingHttpHeaders {
  const headers = new Map<string, string>();
  for (let at = 0; at < fields.length; at += 2) {
    const name = fields[at] ?? '';
    const value = fields[at + 1] ?? '';
    // It is not a request field, and Node.js has it as an array.
    if (name === 'set-cookie') continue;
    const present = headers.get(name);
    if (present === undefined) headers.set(name, value);
    else if (!singleFields.has(name)) headers.set(name, `${present}${name === 'cookie' ? '; ' : ', '}${value}`);
  }
  return Object.fromEntries(headers);
}

function problemOf(headers: IncomingHttpHeaders): HeadProblem | undefined {
  for (const [name, canonicalName] of connectionFields) {
    if (headers[name] === undefined) continue;
    return { status: 400, text: `request header "${canonicalName}" is not valid in HTTP/2` };
  }
  const { te } = headers;
  if (te === undefined || te === '' || te === 'trailers') return undefined;
  return { status: 400, text: 'request header "TE" may only be "trailers" in HTTP/2' };
}
