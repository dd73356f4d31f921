import { hash } from 'node:crypto';
import { parseCsv } from './csv.js';
import type { Authenticator, UserInfo } from './user.js';

/** One line of a static token file. */
export interface TokenEntry {
  readonly token: string;
  readonly user: UserInfo;
}

/**
 * Parses a static token file: `token,user name,user uid[,"group1,group2"]` per line. Lines with an empty token are
 * skipped. The last line wins when a token is repeated. Throws an Error that describes the fault.
 * Upstream: apiserver `pkg/authentication/token/tokenfile`.
 */
export function parseTokenFile(text: string): TokenEntry[] {
  const entries = new Map<string, TokenEntry>();
  for (const record of parseCsv(text)) {
    const [token, name, uid, groups] = record;
    if (token === undefined || name === undefined || uid === undefined) {
      throw new Error(`token file must have at least 3 columns (token, user name, user uid), found ${record.length}`);
    }
    if (token === '') continue;
    const user: UserInfo = { name, uid, groups: groups === undefined ? [] : groups.split(','), extra: {} };
    entries.set(token, { token, user });
  }
  return [...entries.values()];
}

/**
 * Authenticates the given tokens. Tokens are stored and looked up by digest, so that timing reveals nothing about them.
 */
export function tokenAuthenticator(entries: readonly TokenEntry[]): Authenticator {
  const users = new Map(entries.map((entry) => [digest(entry.token), entry.user]));
  return {
    name: 'token-file',
    authenticate: ({ bearerToken }) => (bearerToken === undefined ? undefined : users.get(digest(bearerToken))),
  };
}

function digest(token: string): string {
  return hash('sha256', token, 'base64');
}
