import {
  decodedBytes,
  encodedPath,
  isEncodedPath,
  parametersOf,
  parseRequestUri,
  parseUrl,
  requestUriOf,
  splitHost,
  UrlError,
} from '../../validation/index.js';
import type { Steps } from '../../work/index.js';
import { EvaluationError } from '../evaluation-error.js';
import { longOverload, type Overload, overload } from '../overload.js';
import { ListValue, type MapValue, mapOfEntries, OpaqueValue, type Value } from '../values.js';
import { from, string } from './arguments.js';
import { sliced } from './sliced.js';

export class UrlValue extends OpaqueValue {
  readonly typeName = 'kubernetes.URL';
  readonly text: string;
  readonly scheme: string;
  /** Includes the port. */
  readonly host: string;
  readonly path: string;
  readonly query: string;
  /** The results of the slow functions, once computed. */
  readonly known: { escapedPath?: string; query?: MapValue } = {};

  /** Throws `UrlError` unless it is an absolute URL or an absolute path. */
  constructor(text: string) {
    super();
    parseRequestUri(text);
    // Only the other parser knows fragments. It may also find a host after `//`, and a fault in that.
    const { scheme, host, path, query } = parseUrl(text);
    this.text = text;
    this.scheme = scheme;
    this.host = host;
    this.path = path;
    this.query = query;
  }

  override get size(): number {
    return this.text.length;
  }

  override equals(other: OpaqueValue): boolean {
    return other instanceof UrlValue && this.text === other.text;
  }
}

const url = (value: Value): UrlValue | undefined => (value instanceof UrlValue ? value : undefined);

/** Upstream: apiserver `pkg/cel/library/urls.go`. */
export const URLS: readonly Overload[] = [
  overload('url', 'string_to_url', '(string) -> kubernetes.URL', from(string)(readUrl)),
  overload(
    'getScheme',
    'url_get_scheme',
    'kubernetes.URL.() -> string',
    from(url)(({ scheme }) => scheme),
  ),
  overload(
    'getHost',
    'url_get_host',
    'kubernetes.URL.() -> string',
    from(url)(({ host }) => host),
  ),
  overload(
    'getHostname',
    'url_get_hostname',
    'kubernetes.URL.() -> string',
    from(url)(({ host }) => splitHost(host).hostname),
  ),
  overload(
    'getPort',
    'url_get_port',
    'kubernetes.URL.() -> string',
    from(url)(({ host }) => splitHost(host).port),
  ),
  longOverload('getEscapedPath', 'url_get_escaped_path', 'kubernetes.URL.() -> string', {
    steps: from(url)(escapedPath),
  }),
  overload('getQuery', 'url_get_query', 'kubernetes.URL.() -> map(string, list(string))', from(url)(query)),
  overload(
    'isURL',
    'is_url_string',
    '(string) -> bool',
    from(string)((text) => requestUriOf(text) !== undefined),
  ),
];

function readUrl(text: string): UrlValue {
  try {
    return new UrlValue(text);
  } catch (error) {
    if (!(error instanceof UrlError)) throw error;
    throw new EvaluationError(`URL parse error during conversion from string: ${error.message}`);
  }
}

function* escapedPath({ path, known }: UrlValue): Steps<string> {
  known.escapedPath ??= isEncodedPath(path) ? path : yield* sliced(decodedBytes(path), encodedPath);
  return known.escapedPath;
}

function query({ query: text, known }: UrlValue): MapValue {
  return (known.query ??= readQuery(text));
}

/** A query of more parameters is empty. Upstream: Go `net/url` ParseQuery. */
const MOST_PARAMETERS = 10_000;

function readQuery(text: string): MapValue {
  if (hasMore(text, '&', MOST_PARAMETERS - 1)) return mapOfEntries([]);
  const found = new Map<string, string[]>();
  for (const [key, item] of parametersOf(text)) {
    const known = found.get(key);
    if (known === undefined) found.set(key, [item]);
    else known.push(item);
  }
  return mapOfEntries([...found].map(([key, items]): [Value, Value] => [key, ListValue.of(items)]));
}

/** Whether a text holds a character more than `most` times. */
function hasMore(text: string, character: string, most: number): boolean {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) if (++count > most) return true;
  return false;
}
