import { hash } from 'node:crypto';
import { LruMap } from '@binnacle/apimachinery/caches';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { formatBadValue } from '@binnacle/apimachinery/status';
import { type AuthenticationNotes, type Authenticator, refused, type UserInfo } from '../authentication/index.js';
import { hasValidSignature, type ParsedToken, parseToken } from './json-web-token.js';
import type { TokenKeys } from './signing-keys.js';

const REMEMBERED = 1024;

/** One kind of signed tokens, with its claims. */
export interface SignedTokens<Claims> {
  readonly name: string;
  /** The issuers of these tokens. Tokens of other issuers are left to other authenticators. */
  readonly issuers: readonly string[];
  /** Called with the first token of one of the issuers. */
  readonly keys: () => Promise<TokenKeys>;
  /** Throws {@link refused} for malformed claims. */
  decode(payload: JsonObject): Claims;
  /** Finds the user for verified claims. Called for each request; throws {@link refused} when they are not accepted. */
  accept(claims: Claims, given: GivenToken): Promise<UserInfo>;
}

/** A token as a client sends it. */
export interface GivenToken {
  readonly token: string;
  /** Those that it must be meant for. Undefined: this server. */
  readonly audiences: readonly string[] | undefined;
  readonly notes: AuthenticationNotes | undefined;
}

/**
 * Verifies a token's signature once and caches its claims: clients send the same token with each request, and verification
 * is the expensive part.
 * Upstream: kubernetes `pkg/serviceaccount/jwt.go` JWTTokenAuthenticator.
 */
export function signedTokenAuthenticator<Claims>(tokens: SignedTokens<Claims>): Authenticator {
  const remembered = new LruMap<string, Claims>(REMEMBERED);

  const examine = async (token: ParsedToken, digest: string): Promise<Claims> => {
    checkSignature(token, await tokens.keys());
    if (token.duplicateKey !== undefined) throw refused(`json: duplicate key '${token.duplicateKey}' in object`);
    const claims = tokens.decode(token.payload);
    remembered.set(digest, claims);
    return claims;
  };

  return {
    name: tokens.name,
    authenticate: ({ bearerToken, audiences, notes }) => {
      // Without a dot it is not a JWT: there is no need for a digest.
      if (bearerToken === undefined || !bearerToken.includes('.')) return undefined;
      const digest = digestOf(bearerToken);
      const given = { token: bearerToken, audiences, notes };
      const known = remembered.get(digest);
      if (known !== undefined) return tokens.accept(known, given);
      const token = parseToken(bearerToken);
      if (token === undefined || token.signature.length === 0) return undefined;
      if (!isOneOf(token.payload, tokens.issuers)) return undefined;
      return examine(token, digest).then((claims) => tokens.accept(claims, given));
    },
  };
}

/** Upstream reads the issuer with two parsers, one of which reads `ISS` as `iss`. Both must find one of the issuers. */
function isOneOf(payload: JsonObject, issuers: readonly string[]): boolean {
  const named = Object.keys(payload).filter((key) => key.toUpperCase() === 'ISS');
  const known = named.every((key) => typeof payload[key] === 'string' && issuers.includes(payload[key]));
  return known && named.includes('iss');
}

function checkSignature(token: ParsedToken, { verification }: TokenKeys): void {
  const { keyId } = token;
  const candidates = keyId === '' ? verification : verification.filter((key) => key.id === keyId);
  if (candidates.length === 0) throw refused('invalid signature, no keys found');
  if (!candidates.some((key) => hasValidSignature(token, key))) {
    throw refused('go-jose/go-jose: error in cryptographic primitive');
  }
}

/**
 * The requested audiences that the token names. A token without audiences is valid for `own`. Throws when none match.
 */
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

/** The key of a token in a cache, so that no tokens stay in memory. */
function digestOf(token: string): string {
  return hash('sha256', token, 'base64');
}
