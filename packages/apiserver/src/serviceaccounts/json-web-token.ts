import { getOwn, isObject, type JsonObject, parseJson } from '@binnacle/apimachinery/json';
import { isSignedBy, type SigningKey, signBytes, type VerificationKey } from './signing-keys.js';

/** Tokens have a few hundred characters. Longer texts than this are rejected unread. */
const MAXIMUM_LENGTH = 64 * 1024;
const BASE64URL = /^[\w-]+$/;
/** Header fields that must be strings if present. */
const TEXTS = ['alg', 'kid', 'nonce'];
/** Header fields that carry the token's own key. Tokens of this server have none. */
const OWN_KEYS = ['jwk', 'x5c'];

/** A parsed token. It is untrusted until {@link hasValidSignature} has verified it. */
export interface ParsedToken {
  readonly algorithm: string;
  /** The id of the key in the header; '' when absent. */
  readonly keyId: string;
  /** Whether it requires unknown extensions. */
  readonly extended: boolean;
  readonly payload: JsonObject;
  /** A key that occurs twice in the payload: two parsers might read two values. */
  readonly duplicateKey: string | undefined;
  /** The signed bytes. */
  readonly signed: Buffer;
  readonly signature: Buffer;
}

/** Encodes and signs a token. Upstream: kubernetes `pkg/serviceaccount/jwt.go`. */
export function signToken(payload: JsonObject, key: SigningKey): string {
  const header = { alg: key.algorithm.name, kid: key.id };
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${signBytes(Buffer.from(signed), key).toString('base64url')}`;
}

/**
 * Parses a token of three parts with JSON objects in the first two; undefined for all other texts. White space is
 * skipped, and so are the surplus bits in the last character of a part. The signature may be empty, and is then valid for
 * no key.
 * Upstream: go-jose `ParseSigned`.
 */
export function parseToken(token: string): ParsedToken | undefined {
  if (token.length > MAXIMUM_LENGTH) return undefined;
  const [first = '', second = '', third = '', ...more] = token.split('.');
  const head = decodePart(withoutSpace(first));
  const body = decodePart(second.replaceAll(/[\r\n]/g, ''));
  const signature = third === '' ? Buffer.alloc(0) : decodePart(withoutSpace(third));
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

/** Whether this key signed the token, with an algorithm for keys of its kind. */
export function hasValidSignature(
  { algorithm, extended, signed, signature }: ParsedToken,
  key: Pick<VerificationKey, 'publicKey'>,
): boolean {
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

/**
 * `b64` is the only extension that upstream supports. Tokens may name it, but may not carry a payload that is not
 * base64.
 */
function isExtended(header: JsonObject): boolean {
  const critical = getOwn(header, 'crit') ?? [];
  const unknown = !Array.isArray(critical) || critical.some((name) => name !== 'b64');
  return unknown || getOwn(header, 'b64') === false;
}
