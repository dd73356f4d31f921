import type { KeyObject } from 'node:crypto';
import {
  childrenOf,
  contentOf,
  DerError,
  type Element,
  identifierOf,
  INTEGER,
  SEQUENCE,
} from '@binnacle/apimachinery/der';
import type { Certificate } from './certificate.js';

/** Bits. */
const SMALLEST_RSA = 1024;
const LARGEST_RSA = 8192;
/** A larger exponent makes each signature cost a hundred times as much. */
const LARGEST_EXPONENT = 2n ** 31n - 1n;
const CURVES: ReadonlySet<string | undefined> = new Set(['secp224r1', 'prime256v1', 'secp384r1', 'secp521r1']);

/** Signatures over SHA-2, by the type of the key that makes them. */
const ALGORITHMS: ReadonlyMap<string, string> = new Map([
  ['1.2.840.113549.1.1.11', 'rsa'],
  ['1.2.840.113549.1.1.12', 'rsa'],
  ['1.2.840.113549.1.1.13', 'rsa'],
  ['1.2.840.10045.4.3.2', 'ec'],
  ['1.2.840.10045.4.3.3', 'ec'],
  ['1.2.840.10045.4.3.4', 'ec'],
  ['1.3.101.112', 'ed25519'],
]);
const PSS = '1.2.840.113549.1.1.10';
const MASK_FUNCTION = '1.2.840.113549.1.1.8';
/** By the hash of a PSS signature: as many octets of salt. */
const PSS_SALTS: ReadonlyMap<string, number> = new Map([
  ['2.16.840.1.101.3.4.2.1', 32],
  ['2.16.840.1.101.3.4.2.2', 48],
  ['2.16.840.1.101.3.4.2.3', 64],
]);

/**
 * Whether the key of one certificate has signed the other. Weak hashes and odd keys count for nothing.
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
  const { modulusLength = 0, publicExponent = 0n, namedCurve } = details;
  if (asymmetricKeyType !== 'rsa') return asymmetricKeyType === 'ed25519' || CURVES.has(namedCurve);
  return modulusLength >= SMALLEST_RSA && modulusLength <= LARGEST_RSA && publicExponent <= LARGEST_EXPONENT;
}

function keyTypeFor(algorithm: Element): string | undefined {
  const [type, parameters] = childrenOf(algorithm, SEQUENCE);
  const name = identifierOf(type);
  if (name !== PSS) return ALGORITHMS.get(name);
  return isSoundPss(childrenOf(parameters, SEQUENCE)) ? 'rsa' : undefined;
}

/** One hash for the message and the mask, and as much salt as it is long. */
function isSoundPss([hash, mask, salt]: readonly Element[]): boolean {
  const hashName = identifierOf(childrenOf(childrenOf(hash, 0xa0)[0], SEQUENCE)[0]);
  const [maskName, maskHash] = childrenOf(childrenOf(mask, 0xa1)[0], SEQUENCE);
  const isSameHash = identifierOf(childrenOf(maskHash, SEQUENCE)[0]) === hashName;
  const length = contentOf(childrenOf(salt, 0xa2)[0], INTEGER);
  if (length.length !== 1) throw new DerError('an odd length of salt');
  return identifierOf(maskName) === MASK_FUNCTION && isSameHash && PSS_SALTS.get(hashName) === length[0];
}
