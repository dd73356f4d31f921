import { createHash } from 'node:crypto';
import { parseCsv } from './csv.js';
import type { Authenticator, UserInfo } from './user.js';

/** One line of a static token file. */
export interface TokenEntry {
  readonly token: string;
  readonly user: UserInfo;
}

/**
 * Reads a static token file: `token,user name,user uid[,"group1,group2"]` a line. Lines with an empty token are left
 * out; of a token given twice the last line counts. Throws an Error that names the fault.
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

/** Recognises the given tokens. Tokens are kept and looked up by their digest, so that timing tells nothing of them. */
export function tokenAuthenticator(entries: readonly TokenEntry[]): Authenticator {
  const users = new Map(entries.map((entry) => [digest(entry.token), entry.user]));
  return {
    name: 'token-file',
    authenticate: ({ bearerToken }) => (bearerToken === undefined ? undefined : users.get(digest(bearerToken))),
  };
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
