import type { Authenticator } from '../authentication/index.js';
import { parseToken } from '../serviceaccounts/index.js';
import { IssuerAuthenticator, type IssuerAuthenticatorOptions } from './issuer-authenticator.js';
import type { AuthenticationRules } from './issuer-rules.js';
import { issuerOf } from './verify-token.js';

export interface IssuerTokensOptions extends IssuerAuthenticatorOptions {
  /** The current rules: the same object as long as they do not change. */
  readonly rules: () => AuthenticationRules;
  /** The audiences of this server: every accepted token is for these. */
  readonly apiAudiences: readonly string[];
}

/** Authenticates the tokens of all configured issuers. Other tokens are left to other authenticators. */
export function issuerTokenAuthenticator({ rules, apiAudiences, ...options }: IssuerTokensOptions): Authenticator {
  let current: AuthenticationRules | undefined;
  let issuers: ReadonlyMap<string, IssuerAuthenticator> = new Map();
  const currentIssuers = (): typeof issuers => {
    const newest = rules();
    if (newest !== current) {
      current = newest;
      issuers = new Map(newest.issuers.map((each) => [each.url, new IssuerAuthenticator(each, options)]));
    }
    return issuers;
  };
  return {
    name: 'oidc',
    authenticate: ({ bearerToken, audiences }) => {
      if (bearerToken === undefined || !bearerToken.includes('.')) return undefined;
      if (audiences !== undefined && !audiences.some((audience) => apiAudiences.includes(audience))) return undefined;
      const parsed = parseToken(bearerToken);
      const issuer = parsed && issuerOf(parsed.payload);
      if (parsed === undefined || issuer === undefined) return undefined;
      return currentIssuers().get(issuer)?.authenticate(bearerToken, parsed);
    },
  };
}
