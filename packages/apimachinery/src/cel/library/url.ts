import { isSpacedUri } from '../../structural/index.js';
import type { Steps } from '../../work/index.js';
import { EvaluationError } from '../evaluation-error.js';
import { longOverload, type Overload, overload } from '../overload.js';
import { ListValue, type MapValue, mapOfEntries, OpaqueValue, type Value } from '../values.js';
import { from, string } from './arguments.js';
import { sliced } from './sliced.js';

/** The parts of RFC 3986, appendix B. */
const PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/;
const PORT = /:(\d*)$/;
/** Characters of a path that are not escaped. */
const UNESCAPED = /[^A-Za-z0-9\-_.~!$&'()*+,/:;=@[\]%]+/gu;

export class UrlValue extends OpaqueValue {
  readonly typeName = 'kubernetes.URL';
  readonly text: string;
  readonly scheme: string;
  /** Includes the port. */
  readonly host: string;
  readonly path: string;
  readonly query: string;
  /** What the functions that take long return, once known. */
  readonly known: { escapedPath?: string; query?: MapValue } = {};

  constructor(text: string) {
    super();
    const [, scheme = '', authority = '', path = '', query = ''] = PARTS.exec(text) ?? [];
    this.text = text;
    this.scheme = scheme.toLowerCase();
    this.host = authority.slice(authority.lastIndexOf('@') + 1);
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
  overload('getHostname', 'url_get_hostname', 'kubernetes.URL.() -> string', from(url)(hostname)),
  overload(
    'getPort',
    'url_get_port',
    'kubernetes.URL.() -> string',
    from(url)(({ host }) => PORT.exec(host)?.[1] ?? ''),
  ),
  longOverload('getEscapedPath', 'url_get_escaped_path', 'kubernetes.URL.() -> string', {
    steps: from(url)(escapedPath),
  }),
  overload('getQuery', 'url_get_query', 'kubernetes.URL.() -> map(string, list(string))', from(url)(query)),
  overload('isURL', 'is_url_string', '(string) -> bool', from(string)(isSpacedUri)),
];

function readUrl(text: string): UrlValue {
  if (!isSpacedUri(text)) {
    const shown = JSON.stringify(text);
    throw new EvaluationError(`URL parse error during conversion from string: parse ${shown}: invalid URI for request`);
  }
  return new UrlValue(text);
}

function hostname({ host }: UrlValue): string {
  const bare = host.replace(PORT, '');
  return bare.startsWith('[') && bare.endsWith(']') ? bare.slice(1, -1) : bare;
}

function* escapedPath({ path, known }: UrlValue): Steps<string> {
  known.escapedPath ??= yield* sliced(path, (slice) => slice.replaceAll(UNESCAPED, encodeURIComponent));
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
  for (const [key, item] of new URLSearchParams(text)) {
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
