import { formatBadValue } from '@binnacle/apimachinery/status';
import { type Authenticator, type Credentials, refused, type UserInfo } from '../authentication/index.js';
import { decodeClaims, type TokenClaims } from './claims.js';
import { checkBindings, type TokenSubjects } from './bindings.js';
import { isGenuine, type ParsedToken, parseToken } from './json-web-token.js';
import { digestOf, RememberedClaims } from './remembered-claims.js';
import type { TokenKeys } from './signing-keys.js';
import { userOf } from './token-user.js';

/** How far clocks may be apart. Upstream: go-jose `jwt.DefaultLeeway`. */
const LEEWAY_SECONDS = 60;
const REMEMBERED = 1024;

export interface TokenAuthenticatorOptions {
  /** Whose tokens are looked at; those of others are somebody else's affair. */
  readonly issuers: readonly string[];
  /** Whom a token must be meant for, unless it is asked about others; and whom one means that names nobody. */
  readonly apiAudiences: readonly string[];
  /** Asked with the first token that names one of the issuers. */
  readonly keys: () => Promise<TokenKeys>;
  readonly subjects: TokenSubjects;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Recognises the tokens that this server has issued. Upstream: kubernetes `pkg/serviceaccount/{jwt,claims}.go`. */
export function serviceAccountAuthenticator(options: TokenAuthenticatorOptions): Authenticator {
  const { issuers, keys, subjects, now } = options;
  const remembered = new RememberedClaims(REMEMBERED);

  const accept = async (claims: TokenClaims, asked: readonly string[] | undefined): Promise<UserInfo> => {
    const audiences = checkAudiences(claims.audiences, asked, options.apiAudiences);
    checkTimes(claims, now() / 1000);
    await checkBindings(claims, subjects, now() - LEEWAY_SECONDS * 1000);
    const user = userOf(claims);
    return asked === undefined ? user : { ...user, audiences };
  };

  const examine = async (token: ParsedToken, digest: string, asked: Credentials['audiences']): Promise<UserInfo> => {
    const claims = verifiedClaims(token, await keys());
    remembered.add(digest, claims);
    return accept(claims, asked);
  };

  return {
    name: 'service-account',
    authenticate: ({ bearerToken, audiences }) => {
      // Anything else than three parts is not worth a digest.
      if (bearerToken === undefined || !bearerToken.includes('.')) return undefined;
      const digest = digestOf(bearerToken);
      const known = remembered.get(digest);
      if (known !== undefined) return accept(known, audiences);
      const token = parseToken(bearerToken);
      const issuer = token?.payload.iss;
      if (token === undefined || typeof issuer !== 'string' || !issuers.includes(issuer)) return undefined;
      return examine(token, digest, audiences);
    },
  };
}

function verifiedClaims(token: ParsedToken, { verification }: TokenKeys): TokenClaims {
  const { kid } = token.header;
  const hinted = typeof kid === 'string' && kid !== '';
  const candidates = hinted ? verification.filter((key) => key.id === kid) : verification;
  if (candidates.length === 0) throw refused('invalid signature, no keys found');
  if (!candidates.some((key) => isGenuine(token, key))) {
    throw refused('go-jose/go-jose: error in cryptographic primitive');
  }
  const claims = decodeClaims(token.payload);
  if (claims === undefined) throw refused('service account token claims could not be validated');
  return claims;
}

/** Those that were asked about and that the token is for. Throws when there are none. */
function checkAudiences(
  given: readonly string[],
  asked: readonly string[] | undefined,
  own: readonly string[],
): readonly string[] {
  const meant = given.length === 0 ? own : given;
  const wanted = asked ?? own;
  const audiences = wanted.filter((audience) => meant.includes(audience));
  if (audiences.length > 0) return audiences;
  throw refused(`token audiences ${quoted(meant)} is invalid for the target audiences ${quoted(wanted)}`);
}

function quoted(texts: readonly string[]): string {
  return `[${texts.map((text) => formatBadValue(text)).join(' ')}]`;
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
