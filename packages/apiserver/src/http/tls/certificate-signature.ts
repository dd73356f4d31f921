import type { KeyObject } from 'node:crypto';
import { type Element, isStrongRsaKey, signatureAlgorithmOf } from '@binnacle/apimachinery/der';
import type { Certificate } from './certificate.js';

/** Bits. */
const LARGEST_RSA_KEY = 8192;
const CURVES: ReadonlySet<string | undefined> = new Set(['secp224r1', 'prime256v1', 'secp384r1', 'secp521r1']);

/**
 * Whether the key of one certificate has signed the other. False for weak hashes and for kinds of keys that Go rejects.
 * Upstream: Go's `crypto/x509` checkSignature.
 */
export function hasSigned(parent: Certificate, child: Certificate): boolean {
  try {
    const key = parent.x509.publicKey;
    return isSoundKey(key) && keyTypeFor(child.algorithm) === key.asymmetricKeyType && child.x509.verify(key);
  } catch {
    return false;
  }
}

function isSoundKey({ asymmetricKeyType, asymmetricKeyDetails: details = {} }: KeyObject): boolean {
  if (asymmetricKeyType !== 'rsa') return asymmetricKeyType === 'ed25519' || CURVES.has(details.namedCurve);
  return isStrongRsaKey(details) && (details.modulusLength ?? 0) <= LARGEST_RSA_KEY;
}

/** The kind of key that the algorithm needs. Undefined for SHA-1, whose signatures prove nothing. */
function keyTypeFor(algorithm: Element): string | undefined {
  const { keyType, digest } = signatureAlgorithmOf(algorithm) ?? {};
  return digest === 'sha1' ? undefined : keyType;
}
