import { generateKeyPairSync } from 'node:crypto';
import { readSigningKey, type SigningKey } from './signing-keys.js';

/** A new elliptic-curve key, which is quick to generate. */
export function makeTestKey(curve = 'P-256'): SigningKey {
  return readSigningKey(testKeyText(curve));
}

/** The same, as PEM. */
export function testKeyText(curve = 'P-256'): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: curve });
  return privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
}
