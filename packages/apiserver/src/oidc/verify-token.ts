import { getOwn, isObject, isTexts, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { goKindOf } from '@binnacle/apimachinery/serializer';
import { quoteGo } from '@binnacle/apimachinery/status';
import { type ParsedToken, secondsOf } from '../serviceaccounts/index.js';
import { checkClaimSources } from './claim-sources.js';
import type { IssuerKeys } from './issuer-keys.js';
import type { IssuerRules } from './issuer-rules.js';
import { TokenError } from './token-error.js';

/** The content of a token that has passed {@link verifyToken}. */
export interface VerifiedToken {
  readonly claims: JsonObject;
  /** Seconds since the epoch. */
  readonly expires: number;
}

/** The clocks of issuer and server may differ by this much. Upstream: go-oidc `oidc/verify.go`. */
const NOT_BEFORE_LEEWAY_SECONDS = 5 * 60;
const TEXTS = ['iss', 'sub', 'nonce', 'at_hash'];
const TIMES = ['exp', 'iat', 'nbf'];
/** Upstream reads a null in these as a number without digits. */
const NEVER_NULL = ['exp', 'iat'];
const OBJECTS = ['_claim_names', '_claim_sources'];

/**
 * Verifies a token: first its signature, then the claims that every token has. `now`: milliseconds. Throws a
 * {@link TokenError}. Upstream: go-oidc `oidc/verify.go`.
 */
export async function verifyToken(
  token: ParsedToken,
  issuer: string,
  { audiences, algorithms }: Pick<IssuerRules, 'audiences' | 'algorithms'>,
  keys: Pick<IssuerKeys, 'verify'>,
  now: number,
): Promise<VerifiedToken> {
  if (!algorithms.includes(token.algorithm)) {
    const expected = `expected ${quoteList(algorithms)} got ${quoteGo(token.algorithm)}`;
    throw new TokenError(`oidc: id token signed with unsupported algorithm, ${expected}`);
  }
  await keys.verify(token);
  if (token.duplicateKey !== undefined) {
    throw new TokenError(`oidc: failed to unmarshal claims: duplicate key ${quoteGo(token.duplicateKey)}`);
  }
  const claims = token.payload;
  checkTypes(claims);
  if (issuerOf(claims) !== issuer) {
    const expected = `expected ${quoteGo(issuer)} got ${quoteGo(issuerOf(claims) ?? '')}`;
    throw new TokenError(`oidc: id token issued by a different provider, ${expected}`);
  }
  checkAudience(audiencesOf(claims), audiences);
  return { claims, expires: checkTimes(claims, now / 1000) };
}

/** Google also names itself without a scheme. */
export function issuerOf(claims: JsonObject): string | undefined {
  const issuer = getOwn(claims, 'iss');
  if (issuer === 'accounts.google.com') return 'https://accounts.google.com';
  return typeof issuer === 'string' ? issuer : undefined;
}

function checkTypes(claims: JsonObject): void {
  const fault = (name: string, type: string): TokenError => {
    const what = `json: cannot unmarshal ${goKindOf(getOwn(claims, name) ?? null)} into Go struct field`;
    return new TokenError(`oidc: failed to unmarshal claims: ${what} idToken.${name} of type ${type}`);
  };
  const has = (name: string, isRight: (value: JsonValue) => boolean): boolean => {
    const value = getOwn(claims, name) ?? undefined;
    return value === undefined || isRight(value);
  };
  for (const name of TEXTS) if (!has(name, (value) => typeof value === 'string')) throw fault(name, 'string');
  for (const name of TIMES) {
    if (!has(name, (value) => typeof value === 'number' || typeof value === 'bigint')) throw fault(name, 'json.Number');
  }
  for (const name of OBJECTS) if (!has(name, isObject)) throw fault(name, 'map[string]string');
  for (const name of NEVER_NULL) {
    if (getOwn(claims, name) === null)
      throw new TokenError('oidc: failed to unmarshal claims: strconv.ParseFloat: parsing "": invalid syntax');
  }
  const [names, sources] = OBJECTS.map((name) => getOwn(claims, name) ?? null);
  checkClaimSources(isObject(names) ? names : {}, isObject(sources) ? sources : {});
}

function audiencesOf(claims: JsonObject): readonly string[] {
  const value = getOwn(claims, 'aud') ?? [];
  if (typeof value === 'string') return [value];
  if (isTexts(value)) return value;
  throw new TokenError(
    `oidc: failed to unmarshal claims: json: cannot unmarshal ${goKindOf(value)} into Go value of type []string`,
  );
}

function checkAudience(named: readonly string[], wanted: readonly string[]): void {
  if (named.some((audience) => wanted.includes(audience))) return;
  const [only = ''] = wanted;
  const expected = wanted.length === 1 ? quoteGo(only) : `in ${quoteList(wanted.toSorted())}`;
  throw new TokenError(`oidc: expected audience ${expected} got ${quoteList(named)}`);
}

/** A token without an expiry has expired. Returns the expiry. */
function checkTimes(claims: JsonObject, now: number): number {
  const time = (name: string): number | undefined => {
    const value = getOwn(claims, name);
    return typeof value === 'number' || typeof value === 'bigint' ? secondsOf(value) : undefined;
  };
  const expires = time('exp');
  if (expires === undefined || expires < now) {
    throw new TokenError(`oidc: token is expired (Token Expiry: ${formatTime(expires)})`);
  }
  const notBefore = time('nbf');
  if (notBefore !== undefined && now + NOT_BEFORE_LEEWAY_SECONDS < notBefore) {
    const times = `current time ${formatTime(now)} before the nbf (not before) time: ${formatTime(notBefore)}`;
    throw new TokenError(`oidc: ${times}`);
  }
  return expires;
}

/** The time as Go prints it in UTC. Undefined prints Go's zero time. */
function formatTime(seconds: number | undefined): string {
  if (seconds === undefined) return '0001-01-01 00:00:00 +0000 UTC';
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return `${seconds} seconds`;
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} +0000 UTC`;
}

function quoteList(texts: readonly string[]): string {
  return `[${texts.map(quoteGo).join(' ')}]`;
}
