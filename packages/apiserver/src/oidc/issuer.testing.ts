import { createHmac, generateKeyPairSync } from 'node:crypto';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { StatusError } from '@binnacle/apimachinery/status';
import assert from 'node:assert/strict';
import { parseToken, type ParsedToken, readSigningKey, type SigningKey, signToken } from '../serviceaccounts/index.js';

/** A new key of an elliptic curve, which is quick to generate. */
export function makeIssuerKey(): SigningKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return readSigningKey(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
}

/** The public part of a key, as an issuer publishes it. */
export function publicJwk(key: SigningKey): JsonObject {
  return { ...(key.publicKey.export({ format: 'jwk' }) as JsonObject), kid: key.id, use: 'sig' };
}

export function parsed(token: string): ParsedToken {
  const found = parseToken(token);
  assert.ok(found !== undefined, token);
  return found;
}

export const signed = (claims: JsonObject, key: SigningKey): ParsedToken => parsed(signToken(claims, key));

/** A token with this header, signed with a text as the secret. */
export function withSecret(header: JsonObject, claims: JsonObject, secret: string): string {
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

/** What an authenticator says: a user, or the reason of a refusal. */
export async function outcome<T>(run: () => T | Promise<T>): Promise<T | string> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof StatusError) return String(error.cause);
    assert.ok(error instanceof Error);
    assert.equal(error.name, 'TokenError', String(error.stack));
    return error.message;
  }
}
