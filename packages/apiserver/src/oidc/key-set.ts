import { createPublicKey, type KeyObject } from 'node:crypto';
import { getOwn, isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { quoteGo } from '@binnacle/apimachinery/status';
import { TokenError } from './token-error.js';

/** A public key of an issuer. */
export interface IssuerKey {
  /** Its name in the headers of tokens; '' if it has none. */
  readonly id: string;
  readonly publicKey: KeyObject;
}

/** The number of keys to try for a token that names none. */
const MOST_KEYS = 100;
const TEXTS = ['kty', 'kid', 'use', 'alg', 'crv'];
const BYTES = ['n', 'e', 'x', 'y', 'k', 'd', 'p', 'q', 'dp', 'dq', 'qi'];
const PUBLIC_MEMBERS = ['kty', 'n', 'e', 'crv', 'x', 'y'];
const BASE64URL = /^[\w-]*$/;
const CURVE_BYTES: ReadonlyMap<string, number> = new Map([
  ['P-256', 32],
  ['P-384', 48],
  ['P-521', 66],
]);

/**
 * The public keys of a JSON Web Key Set that can verify tokens. Other keys, secret and private ones among them, are left
 * out: a public key is never used as a secret. Throws a {@link TokenError} if a key is malformed or of an unknown type,
 * because upstream then refuses the whole set. Upstream: go-jose `JSONWebKeySet`.
 */
export function readKeySet(document: JsonObject): readonly IssuerKey[] {
  const listed = getOwn(document, 'keys') ?? [];
  if (!Array.isArray(listed)) throw malformed('keys is not a list');
  return listed.slice(0, MOST_KEYS).flatMap((each) => readKey(each) ?? []);
}

function readKey(value: JsonValue): IssuerKey | undefined {
  if (!isObject(value)) throw malformed('a key is not an object');
  const members = new Map([...TEXTS, ...BYTES].flatMap((name) => memberOf(value, name)));
  const has = (...names: readonly string[]): boolean => names.every((name) => members.has(name));
  const type = members.get('kty') ?? '';
  if (!isComplete(type, has)) throw malformed(`a key of type ${quoteGo(type)} is unknown or lacks a part`);
  if ((type !== 'RSA' && type !== 'EC') || has('d')) return undefined;
  if (type === 'EC') checkPoint(members);
  const key = Object.fromEntries(PUBLIC_MEMBERS.flatMap((name) => (has(name) ? [[name, members.get(name)]] : [])));
  try {
    return { id: members.get('kid') ?? '', publicKey: createPublicKey({ key, format: 'jwk' }) };
  } catch {
    if (type === 'EC') throw malformed('a key is not on its curve');
    return undefined;
  }
}

/** A member of a key; none if it is absent or null. */
function memberOf(key: JsonObject, name: string): readonly (readonly [name: string, value: string])[] {
  const value = getOwn(key, name) ?? null;
  if (value === null) return [];
  if (typeof value !== 'string') throw malformed(`${name} of a key is not a string`);
  if (BYTES.includes(name) && (!BASE64URL.test(value) || value.length % 4 === 1)) {
    throw malformed(`${name} of a key is not base64url`);
  }
  return [[name, value]];
}

function isComplete(type: string, has: (...names: readonly string[]) => boolean): boolean {
  switch (type) {
    case 'RSA':
      return has('n', 'e');
    case 'EC':
      return has('crv', 'x', 'y');
    case 'OKP':
      return has('crv', 'x');
    case 'oct':
      return has('k');
    default:
      return false;
  }
}

function checkPoint(members: ReadonlyMap<string, string>): void {
  const length = CURVE_BYTES.get(members.get('crv') ?? '');
  const bytesOf = (name: string): number => Math.floor(((members.get(name) ?? '').length * 3) / 4);
  if (length !== bytesOf('x') || length !== bytesOf('y')) throw malformed('a key is not of a known curve');
}

function malformed(why: string): TokenError {
  return new TokenError(`oidc: failed to decode keys: ${why}`);
}
