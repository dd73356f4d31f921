import { quoteGo } from '../status/index.js';
import { parseIpAddress } from './ip-address.js';

/** A URL as Go's `net/url` understands it, which differs from the URLs of browsers and Node.js. */
export interface ParsedUrl {
  /** In lower case; empty if the URL has none. */
  readonly scheme: string;
  /** Decoded, and with the port. */
  readonly host: string;
  /** Still encoded; empty for a URL without a slash after its scheme, such as `mailto:a@b`. */
  readonly path: string;
  /** Still encoded, like the next two. */
  readonly query: string;
  /** Before the host; undefined if there is no `@`. */
  readonly userInfo?: string | undefined;
  readonly fragment: string;
}

/** A text that is not a URL. The message is Go's. */
export class UrlError extends Error {
  override readonly name = 'UrlError';
}

/** Why a text is not a URL. The message does not quote the text. */
class UrlFault extends Error {
  override readonly name = 'UrlFault';
}

const CONTROL = /[\u0000-\u001f\u007f]/;
const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):/;
const OPTIONAL_PORT = /^(?::[0-9]*)?$/;
const NOT_IN_USER_INFO = /[^A-Za-z0-9\-._:~!$&'()*+,;=%@]/;
const BAD_ESCAPE_SOURCE = '(?![0-9A-Fa-f]{2})[^]{0,2}';
/** Only ASCII characters: a host may have all others. */
const NOT_IN_HOST = '[\\u0000- #/?@\\\\^`{|}\\u007f]';
/** Only bytes beyond ASCII, and the percent sign before a zone, may be encoded. */
const BAD_IN_HOST = new RegExp(`%(?:(?!25)[0-7][0-9A-Fa-f]|${BAD_ESCAPE_SOURCE})|${NOT_IN_HOST}`);
/** Only characters that a host may have, and spaces, may be encoded. */
const BAD_IN_ZONE = new RegExp(
  `%(?:[01][0-9A-Fa-f]|2[3Ff]|3[Ff]|40|5[CcEe]|60|7[B-Db-dFf]|[89A-Fa-f][0-9A-Fa-f]|${BAD_ESCAPE_SOURCE})|${NOT_IN_HOST}`,
);
const BAD_ESCAPE = new RegExp(`%${BAD_ESCAPE_SOURCE}`);
const ZONE = '%25';
const PERCENT = 0x25;
/** Quoting a longer text as Go does takes too long for one turn. */
const LONG_CHARACTERS = 100_000;

/** An absolute URL, or an absolute path. Throws {@link UrlError}. Upstream: Go's `url.ParseRequestURI`. */
export function parseRequestUri(text: string): ParsedUrl {
  return explained(text, () => {
    if (text === '') throw new UrlFault('empty url');
    return parse(text, true);
  });
}

/** Also a relative URL, and one with a fragment. Throws {@link UrlError}. Upstream: Go's `url.Parse`. */
export function parseUrl(text: string): ParsedUrl {
  const at = text.indexOf('#');
  const before = at < 0 ? text : text.slice(0, at);
  const fragment = at < 0 ? '' : text.slice(at + 1);
  const url = explained(before, () => parse(before, false));
  explained(text, () => requireWellEscaped(fragment));
  return { ...url, fragment };
}

function explained<T>(text: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UrlFault)) throw error;
    const shown = text.length > LONG_CHARACTERS ? JSON.stringify(text) : quoteGo(text);
    throw new UrlError(`parse ${shown}: ${error.message}`);
  }
}

/** {@link parseRequestUri}; undefined instead of an error. */
export function requestUriOf(text: string): ParsedUrl | undefined {
  try {
    return parseRequestUri(text);
  } catch (error) {
    if (error instanceof UrlError) return undefined;
    throw error;
  }
}

/** The host of a URL without its port, and without the brackets of an IPv6 address; and the port. */
export function splitHost(host: string): { readonly hostname: string; readonly port: string } {
  const colon = host.lastIndexOf(':');
  const hasPort = colon >= 0 && OPTIONAL_PORT.test(host.slice(colon));
  const bare = hasPort ? host.slice(0, colon) : host;
  const isBracketed = bare.startsWith('[') && bare.endsWith(']');
  return { hostname: isBracketed ? bare.slice(1, -1) : bare, port: hasPort ? host.slice(colon + 1) : '' };
}

function parse(text: string, isRequest: boolean): ParsedUrl {
  if (CONTROL.test(text)) throw new UrlFault('net/url: invalid control character in URL');
  if (text === '*') return { scheme: '', host: '', path: '*', query: '', fragment: '' };
  if (text.startsWith(':')) throw new UrlFault('missing protocol scheme');
  const [prefix = '', name = ''] = SCHEME.exec(text) ?? [];
  const scheme = name.toLowerCase();
  const [rest, query] = cut(text.slice(prefix.length), '?');
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { scheme, host: '', path: '', query, fragment: '' };
    if (isRequest) throw new UrlFault('invalid URI for request');
    if (cut(rest, '/')[0].includes(':')) throw new UrlFault('first path segment in URL cannot contain colon');
  }
  const mayHaveHost = scheme !== '' || (!isRequest && !rest.startsWith('///'));
  const hasHost = mayHaveHost && rest.startsWith('//');
  const end = hasHost ? rest.indexOf('/', 2) : 0;
  const pathStart = end < 0 ? rest.length : end;
  const authority = hasHost ? parseAuthority(scheme, rest.slice(2, pathStart)) : { host: '' };
  const path = rest.slice(pathStart);
  requireWellEscaped(path);
  return { scheme, ...authority, path, query, fragment: '' };
}

function cut(text: string, separator: string): readonly [before: string, after: string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function parseAuthority(scheme: string, authority: string): Pick<ParsedUrl, 'host' | 'userInfo'> {
  const at = authority.lastIndexOf('@');
  const host = parseHost(scheme, authority.slice(at + 1));
  if (at < 0) return { host };
  const userInfo = authority.slice(0, at);
  if (NOT_IN_USER_INFO.test(userInfo)) throw new UrlFault('net/url: invalid userinfo');
  requireWellEscaped(userInfo);
  return { host, userInfo };
}

function parseHost(scheme: string, host: string): string {
  const open = host.lastIndexOf('[');
  if (open > 0) throw new UrlFault('invalid IP-literal');
  if (open === 0) return parseLiteral(host);
  const first = host.indexOf(':');
  // Hosts of databases may be lists, each with a port.
  const isStrict = scheme === 'http' || scheme === 'https';
  if (first >= 0) requirePort(host.slice(isStrict ? first : host.lastIndexOf(':')));
  return decodeHost(host);
}

/** An IPv6 address in brackets, perhaps with a zone, and a port. */
function parseLiteral(host: string): string {
  const close = host.lastIndexOf(']');
  if (close < 0) throw new UrlFault("missing ']' in host");
  const port = host.slice(close + 1);
  requirePort(port);
  const literal = host.slice(1, close);
  const zone = literal.indexOf(ZONE);
  const hostname =
    zone < 0 ? decodeHost(literal) : decodeHost(literal.slice(0, zone)) + decodeHost(literal.slice(zone), BAD_IN_ZONE);
  const [address, zoneName] = cut(hostname, '%');
  const ip = parseIpAddress(address);
  if (ip === undefined || ip.leadingZeros || (hostname.includes('%') && (zoneName === '' || ip.family === 4)))
    throw new UrlFault(
      `invalid host: ParseAddr(${quoteGo(hostname)}): ${ip?.leadingZeros === true ? 'IPv4 field has octet with leading zero' : 'unable to parse IP'}`,
    );
  if (ip.family === 4) throw new UrlFault('invalid IP-literal');
  return `[${hostname}]${port}`;
}

function requirePort(port: string): void {
  if (!OPTIONAL_PORT.test(port)) throw new UrlFault(`invalid port ${quoteGo(port)} after host`);
}

function decodeHost(host: string, bad = BAD_IN_HOST): string {
  const [part] = bad.exec(host) ?? [];
  if (part !== undefined)
    throw part.startsWith('%') ? badEscape(part) : new UrlFault(`invalid character ${quoteGo(part)} in host name`);
  return decodePercent(host);
}

function requireWellEscaped(text: string): void {
  const [escape] = BAD_ESCAPE.exec(text) ?? [];
  if (escape !== undefined) throw badEscape(escape);
}

function badEscape(escape: string): UrlFault {
  return new UrlFault(`invalid URL escape ${quoteGo(escape)}`);
}

/** Decodes escapes, which must be well-formed. */
function decodePercent(text: string): string {
  return text.includes('%') ? decoded(text).toString() : text;
}

/** Decodes escapes, which must be well-formed, to UTF-8 with one character for each byte. */
export function decodedBytes(text: string): string {
  return decoded(text).toString('latin1');
}

function decoded(text: string): Buffer {
  const bytes = Buffer.from(text);
  let end = 0;
  for (let at = 0; at < bytes.length; at++, end++) {
    const byte = bytes[at] ?? 0;
    if (byte !== PERCENT) bytes[end] = byte;
    else {
      bytes[end] = hexDigit(bytes[at + 1]) * 16 + hexDigit(bytes[at + 2]);
      at += 2;
    }
  }
  return bytes.subarray(0, end);
}

function hexDigit(code = 0): number {
  return code < 0x40 ? code - 0x30 : (code & 0x5f) - 0x37;
}

/** The parameters of a query in their order. Malformed ones are left out. Upstream: Go's `url.ParseQuery`. */
export function* parametersOf(query: string): Generator<readonly [name: string, value: string]> {
  for (const parameter of query.split('&')) {
    if (parameter === '' || parameter.includes(';') || BAD_ESCAPE.test(parameter)) continue;
    const [name, value] = cut(parameter.replaceAll('+', ' '), '=');
    yield [decodePercent(name), decodePercent(value)];
  }
}

const NOT_IN_PATH = /[^A-Za-z0-9\-_.~!$&'()*+,/:;=@[\]%]/;
const ENCODED_IN_PATH = /[^A-Za-z0-9\-_.~$&+,/:;=@]/g;

/** Whether Go shows a path as it is written; otherwise it decodes and encodes it. */
export function isEncodedPath(path: string): boolean {
  return path === '*' || !NOT_IN_PATH.test(path);
}

/** Encodes a path that {@link decodedBytes} has decoded. */
export function encodedPath(bytes: string): string {
  return bytes.replaceAll(
    ENCODED_IN_PATH,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
