import { badRequest, quoteGo, quoteGoList } from '@binnacle/apimachinery/status';
import { decodeHeaderKey, type UserInfo } from '../authentication/index.js';
import type { Exchange } from '../request/index.js';

const PREFIX = 'impersonate-';
const EXTRA_PREFIX = 'impersonate-extra-';

/**
 * The user that the impersonation headers name; undefined without such headers. Throws 400 when the other headers come
 * without `Impersonate-User`.
 */
export function requestedUserOf(exchange: Exchange): UserInfo | undefined {
  const names = impersonationHeaders(exchange);
  if (names.length === 0) return undefined;
  const name = exchange.headerValues('impersonate-user')[0] ?? '';
  const uid = exchange.headerValues('impersonate-uid')[0] ?? '';
  const groups = exchange.headerValues('impersonate-group');
  const extra = new Map<string, string[]>();
  for (const header of names) {
    if (!header.startsWith(EXTRA_PREFIX)) continue;
    const key = decodeHeaderKey(header.slice(EXTRA_PREFIX.length));
    // Headers with other escapes name the same key. A list is extended in place, as there may be thousands.
    const values = extra.get(key) ?? [];
    extra.set(key, values);
    for (const value of exchange.headerValues(header)) values.push(value);
  }
  if (name !== '') return { name, uid, groups, extra: Object.fromEntries(extra) };
  if (uid === '' && groups.length === 0 && extra.size === 0) return undefined;
  throw badRequest(`requested ${describe(uid, groups, extra)} without impersonating a user name`);
}

/** Written for the common case, a request without these headers. */
function impersonationHeaders({ headers }: Exchange): string[] {
  return Object.keys(headers).filter((name) => name.startsWith(PREFIX));
}

/** Formats the user like Go's `%#v` of upstream's struct. */
function describe(uid: string, groups: readonly string[], extra: ReadonlyMap<string, readonly string[]>): string {
  const entries = [...extra].sort(([one], [other]) => (one < other ? -1 : 1));
  const shownExtra = entries.map(([key, values]) => `${quoteGo(key)}:${quoteGoList(values)}`).join(', ');
  const fields = [
    'Name:""',
    `UID:${quoteGo(uid)}`,
    `Groups:${groups.length === 0 ? '[]string(nil)' : quoteGoList(groups)}`,
    `Extra:${extra.size === 0 ? 'map[string][]string(nil)' : `map[string][]string{${shownExtra}}`}`,
  ];
  return `&user.DefaultInfo{${fields.join(', ')}}`;
}
