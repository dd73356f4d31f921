import { getOwn, isObject, type JsonObject, parseJson } from '@binnacle/apimachinery/json';
import { isSignedBy, type SigningKey, signBytes, type VerificationKey } from './signing-keys.js';

/** Tokens are a few hundred characters; what is longer than this is nobody's, and costs no reading. */
const MAXIMUM_LENGTH = 64 * 1024;
const BASE64URL = /^[\w-]+$/;
/** Header fields that are texts where they are present at all. */
const TEXTS = ['alg', 'kid', 'nonce'];
/** Header fields that bring a key of the token's own. No token of ours has one. */
const OWN_KEYS = ['jwk', 'x5c'];

/** A token that has been taken apart. Nothing of it is to be believed before {@link isGenuine}. */
export interface ParsedToken {
  readonly algorithm: string;
  /** The key that the token names; '' when it names none. */
  readonly keyId: string;
  /** Whether it asks for extensions that are not known. */
  readonly extended: boolean;
  readonly payload: JsonObject;
  /** A key that the payload has twice: two readers may take two values. */
  readonly duplicateKey: string | undefined;
  /** What the signature is over. */
  readonly signed: Buffer;
  readonly signature: Buffer;
}

/** Makes a token of three parts. Upstream: kubernetes `pkg/serviceaccount/jwt.go`. */
export function signToken(payload: JsonObject, key: SigningKey): string {
  const header = { alg: key.algorithm.name, kid: key.id };
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${signBytes(Buffer.from(signed), key).toString('base64url')}`;
}

/**
 * Undefined for what is no token of three parts with objects in the first two. Space is passed over, as are the bits that
 * the last character of a part has left over. Upstream: go-jose `ParseSigned`.
 */
export function parseToken(token: string): ParsedToken | undefined {
  if (token.length > MAXIMUM_LENGTH) return undefined;
  const [first = '', second = '', third = '', ...more] = token.split('.');
  const head = decodePart(withoutSpace(first));
  const body = decodePart(second.replaceAll(/[\r\n]/g, ''));
  const signature = decodePart(withoutSpace(third));
  if (head === undefined || body === undefined || signature === undefined || more.length > 0) return undefined;
  const header = parseObject(head);
  const payload = parseObject(body);
  if (header === undefined || payload === undefined || !isKnownHeader(header)) return undefined;
  return {
    algorithm: textOf(header.value, 'alg'),
    keyId: textOf(header.value, 'kid'),
    extended: isExtended(header.value),
    payload: payload.value,
    duplicateKey: payload.duplicates[0],
    signed: Buffer.from(`${head.toString('base64url')}.${body.toString('base64url')}`),
    signature,
  };
}

/** Whether this key has signed it, with an algorithm of keys of its kind. */
export function isGenuine({ algorithm, extended, signed, signature }: ParsedToken, key: VerificationKey): boolean {
  return !extended && isSignedBy(signed, signature, key, algorithm);
}

function encode(part: JsonObject): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

function withoutSpace(part: string): string {
  return part.replaceAll(/\p{White_Space}/gu, '');
}

function decodePart(part: string): Buffer | undefined {
  return BASE64URL.test(part) && part.length % 4 !== 1 ? Buffer.from(part, 'base64url') : undefined;
}

interface ParsedObject {
  readonly value: JsonObject;
  readonly duplicates: readonly string[];
}

function parseObject(bytes: Buffer): ParsedObject | undefined {
  try {
    const { value, duplicates } = parseJson(bytes);
    return isObject(value) ? { value, duplicates } : undefined;
  } catch {
    return undefined;
  }
}

function isKnownHeader({ value, duplicates }: ParsedObject): boolean {
  const texts = TEXTS.map((field) => getOwn(value, field) ?? '');
  const ownKeys = OWN_KEYS.map((field) => getOwn(value, field) ?? null);
  return (
    duplicates.length === 0 && texts.every((text) => typeof text === 'string') && ownKeys.every((key) => key === null)
  );
}

function textOf(header: JsonObject, field: string): string {
  const text = getOwn(header, field);
  return typeof text === 'string' ? text : '';
}

/** `b64` is the only extension that upstream knows. It may be named; payloads that are not in base64 are not for tokens. */
function isExtended(header: JsonObject): boolean {
  const critical = getOwn(header, 'crit') ?? [];
  const unknown = !Array.isArray(critical) || critical.some((name) => name !== 'b64');
  return unknown || getOwn(header, 'b64') === false;
}
