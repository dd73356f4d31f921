import { messageOf } from '@binnacle/apimachinery/errors';
import { badRequest } from '@binnacle/apimachinery/status';

/** The parts of the request target. */
export interface RequestTarget {
  /** Percent-decoded: `%2F` is a slash, because upstream splits the decoded path. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/**
 * Parses the request target from the wire. Throws 400 for invalid percent-encoding in the path. The query is lenient:
 * a pair that cannot be decoded is dropped, like Go's `url.Query`.
 */
export function parseTarget(target: string): RequestTarget {
  const local = target.startsWith('/') || target === '*' ? target : originForm(target);
  const question = local.indexOf('?');
  if (question < 0) return { path: decodePath(local), query: new URLSearchParams() };
  return { path: decodePath(local.slice(0, question)), query: parseQuery(local.slice(question + 1)) };
}

/** HTTP/1.1 allows `http://host/path`; the authority adds nothing to what the connection says. */
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
    throw badRequest(`invalid URL escape in the path: ${messageOf(error)}`);
  }
}

const undecodable = /%(?![0-9A-Fa-f]{2})|;/;

function parseQuery(text: string): URLSearchParams {
  if (text === '') return new URLSearchParams();
  const pairs = undecodable.test(text) ? text.split('&').filter((pair) => !undecodable.test(pair)) : [text];
  // The constructor removes one leading question mark; one from the client belongs to the first key.
  return new URLSearchParams(`?${pairs.join('&')}`);
}
