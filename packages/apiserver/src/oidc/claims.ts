import { getOwn, isTexts, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { goKindOf } from '@binnacle/apimachinery/serializer';
import { TokenError } from './token-error.js';

/** Whether the token has the claim, be it null. */
export function hasClaim(claims: JsonObject, name: string): boolean {
  return getOwn(claims, name) !== undefined;
}

/** The text of a claim; null is empty. Throws a {@link TokenError} in the words of Go's `encoding/json`. */
export function textClaim(claims: JsonObject, name: string): string {
  const value = getOwn(claims, name);
  if (value === undefined) throw new TokenError('claim not present');
  return textOf(value);
}

export function booleanClaim(claims: JsonObject, name: string): boolean {
  const value = getOwn(claims, name) ?? false;
  if (typeof value === 'boolean') return value;
  throw new TokenError(`json: cannot unmarshal ${goKindOf(value)} into Go value of type bool`);
}

/** A text or a list of texts. */
export function textsClaim(claims: JsonObject, name: string): readonly string[] {
  const value = getOwn(claims, name) ?? [];
  return isTexts(value) ? value : [textOf(value)];
}

function textOf(value: JsonValue): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  throw new TokenError(`json: cannot unmarshal ${goKindOf(value)} into Go value of type string`);
}
