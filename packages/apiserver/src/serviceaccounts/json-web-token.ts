import { isObject, type JsonObject } from '@binnacle/apimachinery/json';
import { isSignedBy, type SigningKey, signBytes, type VerificationKey } from './signing-keys.js';

/** Tokens are a few hundred characters; what is longer than this is nobody's, and costs no reading. */
const MAXIMUM_LENGTH = 64 * 1024;
const PARTS = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;

/** A token that has been taken apart. Nothing of it is to be believed before {@link isGenuine}. */
export interface ParsedToken {
  readonly header: JsonObject;
  readonly payload: JsonObject;
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

/** Undefined for what is no token of three parts with objects in the first two. */
export function parseToken(token: string): ParsedToken | undefined {
  const match = token.length > MAXIMUM_LENGTH ? null : PARTS.exec(token);
  if (match === null) return undefined;
  const [, first = '', second = '', third = ''] = match;
  const header = decode(first);
  const payload = decode(second);
  if (header === undefined || payload === undefined) return undefined;
  const signed = Buffer.from(`${first}.${second}`);
  return { header, payload, signed, signature: Buffer.from(third, 'base64url') };
}

/** Whether this key has signed it. A header that asks for another algorithm, or for extensions, is not obeyed. */
export function isGenuine({ header, signed, signature }: ParsedToken, key: VerificationKey): boolean {
  if (header.alg !== key.algorithm.name || header.crit !== undefined) return false;
  return isSignedBy(signed, signature, key);
}

function encode(part: JsonObject): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

function decode(part: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
