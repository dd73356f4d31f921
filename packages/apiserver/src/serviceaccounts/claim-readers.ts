import { getOwn, isObject, isTexts, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { goKindOf } from '@binnacle/apimachinery/serializer';
import { refused } from '../authentication/index.js';

/** The registered claims, common to all tokens. Times are whole seconds since 1970. */
export interface PublicClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly audiences: readonly string[];
  readonly expires: number | undefined;
  readonly issuedAt: number | undefined;
  readonly notBefore: number | undefined;
  readonly id: string;
}

/**
 * Go counts seconds from the year 1 in 63 bits. Later times overflow to the distant past. This is the last double before, to which the
 * difference is rounded.
 */
const END_OF_TIME = 2 ** 63 - 62_135_596_800;

/**
 * Reads the registered claims of a verified token. Like all readers here it throws {@link refused} for a claim of the
 * wrong type; null counts as absent.
 * Upstream: go-jose `jwt.Claims`.
 */
export function readPublicClaims(payload: JsonObject): PublicClaims {
  return {
    issuer: readText(payload, 'iss'),
    subject: readText(payload, 'sub'),
    audiences: readAudiences(payload),
    expires: readDate(payload, 'exp'),
    notBefore: readDate(payload, 'nbf'),
    issuedAt: readDate(payload, 'iat'),
    id: readText(payload, 'jti'),
  };
}

/** '' when the claim is absent. */
export function readText(holder: JsonObject, key: string): string {
  const value = getOwn(holder, key) ?? '';
  if (typeof value !== 'string') throw wrongType(value, 'string');
  return value;
}

/** `goType` is the type's name in upstream's message. */
export function readObject(holder: JsonObject, key: string, goType: string): JsonObject | undefined {
  const value = getOwn(holder, key) ?? undefined;
  if (value !== undefined && !isObject(value)) throw wrongType(value, goType);
  return value;
}

/** Null and a claim that is absent are undefined. */
export function readDate(holder: JsonObject, key: string): number | undefined {
  const value = getOwn(holder, key) ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'number' && typeof value !== 'bigint') {
    throw refused('go-jose/go-jose/jwt: expected number value to unmarshal NumericDate');
  }
  return secondsOf(value);
}

/** Whole seconds since 1970. A time that overflows Go's clock is in the distant past. */
export function secondsOf(value: number | bigint): number {
  const seconds = Math.trunc(Number(value));
  return Math.abs(seconds) <= END_OF_TIME ? seconds : Number.NEGATIVE_INFINITY;
}

/** Unlike for other claims, null is invalid here. */
function readAudiences(payload: JsonObject): readonly string[] {
  const value = getOwn(payload, 'aud');
  const audiences = value === undefined ? [] : typeof value === 'string' ? [value] : value;
  if (!isTexts(audiences)) {
    throw refused('go-jose/go-jose/jwt: expected string or array value to unmarshal to Audience');
  }
  return audiences;
}

function wrongType(value: JsonValue, goType: string): Error {
  return refused(`json: cannot unmarshal ${goKindOf(value)} into Go value of type ${goType}`);
}
