/**
 * The `continue` token of a paged list: the revision of the first page and the key to go on from. Clients treat it as
 * opaque; its form is upstream's. Upstream: apiserver `pkg/storage/continue.go`.
 */
export interface ContinueToken {
  /** Revision of the list; -1 = the newest (an inconsistent continuation after the old one was compacted). */
  readonly revision: number;
  /** Full key to start at. */
  readonly startKey: string;
}

const API_VERSION = 'meta.k8s.io/v1';
/** No key is longer. */
const MAXIMUM_LENGTH = 1024;
/** Of 64 bits with a sign, as far as a double tells. */
const LARGEST = 2 ** 63;
const LONE_SURROGATE = /\p{Surrogate}/u;

export function encodeContinueToken(token: ContinueToken, prefix: string): string {
  const start = token.startKey.slice(prefix.length);
  return Buffer.from(JSON.stringify({ v: API_VERSION, rv: token.revision, start })).toString('base64url');
}

/** Reads a token for a list under `prefix`. Answers upstream's words for what is wrong with it. */
export function decodeContinueToken(text: string, prefix: string): ContinueToken | { readonly error: string } {
  const bad = firstIllegalBase64(text);
  if (bad >= 0) return { error: `continue key is not valid: illegal base64 data at input byte ${bad}` };
  let fields: unknown;
  try {
    fields = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return { error: 'continue key is not valid: invalid character in the decoded token' };
  }
  if (typeof fields !== 'object' || fields === null) return { error: 'continue key is not valid: not an object' };
  const { v = '', rv = 0, start = '' } = fields as { v?: unknown; rv?: unknown; start?: unknown };
  if (v !== API_VERSION) {
    return { error: `continue key is not valid: server does not recognize this encoded version ${String(v)}` };
  }
  if (typeof rv !== 'number' || !Number.isInteger(rv) || Math.abs(rv) > LARGEST || rv === 0) {
    return { error: 'continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)' };
  }
  if (typeof start !== 'string' || start === '') {
    return { error: 'continue key is not valid: encoded start key empty (version meta.k8s.io/v1)' };
  }
  const startKey = prefix + start.replace(/^\//, '');
  if (!isInside(start) || LONE_SURROGATE.test(start) || startKey.length > MAXIMUM_LENGTH) {
    return { error: `continue key is not valid: ${start}` };
  }
  return { revision: Math.min(Math.max(rv, -1), Number.MAX_SAFE_INTEGER), startKey };
}

/** Whether a start key stays below the prefix that it is put behind: no `..`, and nothing that a path would normalize. */
function isInside(start: string): boolean {
  const path = start.startsWith('/') ? start.slice(1) : start;
  return path === '' || !path.split('/').some((segment) => segment === '' || segment === '.' || segment === '..');
}

function firstIllegalBase64(text: string): number {
  const match = /[^A-Za-z0-9_-]/.exec(text);
  if (match !== null) return match.index;
  return text.length % 4 === 1 ? text.length : -1;
}

/** The first possible key after `key`. */
export function keyAfter(key: string): string {
  return `${key}\0`;
}
