import { type Authenticator, refused } from '../authentication/index.js';
import { checkBindings, type TokenSubjects } from './bindings.js';
import { decodeClaims, type TokenClaims } from './claims.js';
import { checkAudiences, signedTokenAuthenticator } from './signed-token-authenticator.js';
import type { TokenKeys } from './signing-keys.js';
import { noteAge, noteAudiences, type TokenUsed } from './token-use.js';
import { userOf } from './token-user.js';

/** The tolerated clock skew. Upstream: go-jose `jwt.DefaultLeeway`. */
const LEEWAY_SECONDS = 60;

export interface TokenAuthenticatorOptions {
  /** The issuers of these tokens. Tokens of other issuers are left to other authenticators. */
  readonly issuers: readonly string[];
  /**
   * Audiences of which a token must name one, unless the review requests others. A token without audiences is valid for
   * these.
   */
  readonly apiAudiences: readonly string[];
  /** Called with the first token of one of the issuers. */
  readonly keys: () => Promise<TokenKeys>;
  readonly subjects: TokenSubjects;
  /** Milliseconds. */
  readonly now: () => number;
  readonly used: TokenUsed;
}

/** Authenticates the tokens that this server has issued. Upstream: kubernetes `pkg/serviceaccount/{jwt,claims}.go`. */
export function serviceAccountAuthenticator(options: TokenAuthenticatorOptions): Authenticator {
  const { issuers, apiAudiences, keys, subjects, now, used } = options;
  return signedTokenAuthenticator<TokenClaims>({
    name: 'service-account',
    issuers,
    keys,
    decode: decodeClaims,
    accept: async (claims, given) => {
      const asked = given.audiences;
      noteAudiences(claims, given, used);
      const audiences = checkAudiences(claims.audiences, asked, apiAudiences);
      checkTimes(claims, now() / 1000);
      await checkBindings(claims, subjects, now() - LEEWAY_SECONDS * 1000);
      noteAge(claims, now() / 1000, given, used);
      const user = userOf(claims);
      return asked === undefined ? user : { ...user, audiences };
    },
  });
}

function checkTimes({ expires, issuedAt, notBefore }: TokenClaims, now: number): void {
  if (notBefore !== undefined && now + LEEWAY_SECONDS < notBefore) {
    throw refused('service account token is not valid yet');
  }
  if (expires !== undefined && now - LEEWAY_SECONDS > expires) throw refused('service account token has expired');
  if (issuedAt !== undefined && now + LEEWAY_SECONDS < issuedAt) {
    throw refused('service account token is issued in the future');
  }
}
