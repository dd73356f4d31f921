import { badRequest } from '@binnacle/apimachinery/status';

/** The request target taken apart. */
export interface RequestTarget {
  /** Percent-decoded, so `%2F` has become a slash: that is how upstream splits a path into segments. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/**
 * Reads the request target as it came over the wire. Throws 400 when the path is not valid percent-encoding. The query
 * is lenient: a pair that cannot be decoded is dropped, as Go's `url.Query` does.
 */
export function parseTarget(target: string): RequestTarget {
  const local = target.startsWith('/') || target === '*' ? target : originForm(target);
  const question = local.indexOf('?');
  if (question < 0) return { path: decodePath(local), query: new URLSearchParams() };
  return { path: decodePath(local.slice(0, question)), query: parseQuery(local.slice(question + 1)) };
}

/** `http://host/path` is legal in HTTP/1.1; the authority says nothing that the connection has not said. */
function originForm(target: string): string {
  const scheme = target.indexOf('://');
  if (scheme < 0) throw badRequest('invalid URI for request');
  const end = target.slice(scheme + 3).search(/[/?]/);
  if (end < 0) return '/';
  const rest = target.slice(scheme + 3 + end);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function decodePath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch (error) {
    throw badRequest(`invalid URL escape in the path: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const undecodable = /%(?![0-9A-Fa-f]{2})|;/;

function parseQuery(text: string): URLSearchParams {
  if (text === '') return new URLSearchParams();
  const pairs = undecodable.test(text) ? text.split('&').filter((pair) => !undecodable.test(pair)) : [text];
  // The constructor eats one leading question mark, which here belongs to the first key.
  return new URLSearchParams(`?${pairs.join('&')}`);
}
