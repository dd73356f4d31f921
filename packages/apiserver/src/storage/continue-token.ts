/**
 * The `continue` token of a paged list: the revision of the first page and the key of the next one. Opaque to
 * clients, in upstream's form. Upstream: apiserver `pkg/storage/continue.go`.
 */
export interface ContinueToken {
  /** Revision of the list; -1 = the newest, for an inconsistent continuation after a compaction. */
  readonly revision: number;
  /** Full key to start at. */
  readonly startKey: string;
}

const API_VERSION = 'meta.k8s.io/v1';
/** The maximum length of a key. */
const MAXIMUM_LENGTH = 1024;
/** The bound of signed 64-bit integers, as a double. */
const LARGEST = 2 ** 63;
const LONE_SURROGATE = /\p{Surrogate}/u;

export function encodeContinueToken(token: ContinueToken, prefix: string): string {
  const start = token.startKey.slice(prefix.length);
  return Buffer.from(JSON.stringify({ v: API_VERSION, rv: token.revision, start })).toString('base64url');
}

/** Reads a token for a list under `prefix`. Returns upstream's message when the token is invalid. */
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

/** Whether a start key stays below its prefix: no `..`, and nothing that path normalization changes. */
function isInside(start: string): boolean {
  const path = start.startsWith('/') ? start.slice(1) : start;
  return path === '' || !path.split('/').some((segment) => segment === '' || segment === '.' || segment === '..');
}

function firstIllegalBase64(text: string): number {
  const match = /[^A-Za-z0-9_-]/.exec(text);
  if (match !== null) return match.index;
  return text.length % 4 === 1 ? text.length - 1 : -1;
}

/** The first possible key after `key`. */
export function keyAfter(key: string): string {
  return `${key}\0`;
}
