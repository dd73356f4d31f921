import { createPublicKey, type KeyObject } from 'node:crypto';
import { getOwn, isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';

/** A public key of an issuer. */
export interface IssuerKey {
  /** Its name in the headers of tokens; '' if it has none. */
  readonly id: string;
  readonly publicKey: KeyObject;
}

/** The number of keys to try for a token that names none. */
const MOST_KEYS = 100;
const KEY_TYPES: ReadonlySet<JsonValue> = new Set(['RSA', 'EC']);
const PRIVATE_MEMBER = 'd';
const PUBLIC_MEMBERS = ['kty', 'n', 'e', 'crv', 'x', 'y'];

/**
 * The public keys of a JSON Web Key Set that can verify tokens. Other keys, secret and private ones among them, are left
 * out: a public key is never used as a secret. Upstream: go-jose `JSONWebKeySet`.
 */
export function readKeySet(document: JsonObject): readonly IssuerKey[] {
  const listed = getOwn(document, 'keys');
  if (!Array.isArray(listed)) return [];
  return listed.slice(0, MOST_KEYS).flatMap((each) => readKey(each) ?? []);
}

function readKey(value: JsonValue): IssuerKey | undefined {
  if (!isObject(value) || !KEY_TYPES.has(getOwn(value, 'kty') ?? null)) return undefined;
  const id = getOwn(value, 'kid') ?? '';
  const members = PUBLIC_MEMBERS.map((name) => [name, getOwn(value, name)] as const);
  if (typeof id !== 'string' || getOwn(value, PRIVATE_MEMBER) !== undefined) return undefined;
  try {
    const key = Object.fromEntries(members.filter(([, member]) => typeof member === 'string'));
    return { id, publicKey: createPublicKey({ key, format: 'jwk' }) };
  } catch {
    return undefined;
  }
}
