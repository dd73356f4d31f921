import { formatBadValue } from '@binnacle/apimachinery/status';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { type Authenticator, refused, type UserInfo } from '../authentication/index.js';
import { isGenuine, type ParsedToken, parseToken } from './json-web-token.js';
import { digestOf, RememberedClaims } from './remembered-claims.js';
import type { TokenKeys } from './signing-keys.js';

const REMEMBERED = 1024;

/** One kind of tokens: `Claims` is what they say. */
export interface SignedTokens<Claims> {
  readonly name: string;
  /** Whose tokens are looked at; those of others are somebody else's affair. */
  readonly issuers: readonly string[];
  /** Asked with the first token that names one of the issuers. */
  readonly keys: () => Promise<TokenKeys>;
  /** Throws what {@link refused} answers for claims that are not of their shape. */
  decode(payload: JsonObject): Claims;
  /** Whom claims that somebody of ours has signed let in. Asked anew with each request; throws what {@link refused} answers. */
  accept(claims: Claims, token: string, audiences: readonly string[] | undefined): Promise<UserInfo>;
}

/** Checks a token's signature once. Upstream: kubernetes `pkg/serviceaccount/jwt.go` JWTTokenAuthenticator. */
export function signedTokenAuthenticator<Claims>(tokens: SignedTokens<Claims>): Authenticator {
  const remembered = new RememberedClaims<Claims>(REMEMBERED);

  const examine = async (token: ParsedToken, digest: string): Promise<Claims> => {
    checkSignature(token, await tokens.keys());
    if (token.duplicateKey !== undefined) throw refused(`json: duplicate key '${token.duplicateKey}' in object`);
    const claims = tokens.decode(token.payload);
    remembered.add(digest, claims);
    return claims;
  };

  return {
    name: tokens.name,
    authenticate: ({ bearerToken, audiences }) => {
      // Anything else than three parts is not worth a digest.
      if (bearerToken === undefined || !bearerToken.includes('.')) return undefined;
      const digest = digestOf(bearerToken);
      const known = remembered.get(digest);
      if (known !== undefined) return tokens.accept(known, bearerToken, audiences);
      const token = parseToken(bearerToken);
      if (token === undefined || !isOneOf(token.payload, tokens.issuers)) return undefined;
      return examine(token, digest).then((claims) => tokens.accept(claims, bearerToken, audiences));
    },
  };
}

/** Upstream asks two parsers for the issuer, one of which takes `ISS` for `iss`: no other issuer may be named either. */
function isOneOf(payload: JsonObject, issuers: readonly string[]): boolean {
  const named = Object.keys(payload).filter((key) => key.toUpperCase() === 'ISS');
  const known = named.every((key) => typeof payload[key] === 'string' && issuers.includes(payload[key]));
  return known && named.includes('iss');
}

function checkSignature(token: ParsedToken, { verification }: TokenKeys): void {
  const { keyId } = token;
  const candidates = keyId === '' ? verification : verification.filter((key) => key.id === keyId);
  if (candidates.length === 0) throw refused('invalid signature, no keys found');
  if (!candidates.some((key) => isGenuine(token, key))) {
    throw refused('go-jose/go-jose: error in cryptographic primitive');
  }
}

/** Those that were asked about and that the token is for. Throws when there are none. A token for nobody is for `own`. */
export function checkAudiences(
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
