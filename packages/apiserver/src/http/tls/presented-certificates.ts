import {
  bitsOf,
  childrenOf,
  contentOf,
  DerError,
  elementsOf,
  identifierOf,
  INTEGER,
  SEQUENCE,
} from '@binnacle/apimachinery/der';

/** Usual chains have three or four certificates. */
const MOST_CERTIFICATES = 10;
const VERSION = 0xa0;
/** Its index among the parts after the version. */
const PUBLIC_KEY = 5;
const RSA = '1.2.840.113549.1.1.1';
const ELLIPTIC_CURVE = '1.2.840.10045.2.1';
const ED25519 = '1.3.101.112';
/** P-224, P-256, P-384, P-521. */
const CURVES: ReadonlySet<string> = new Set(['1.3.132.0.33', '1.2.840.10045.3.1.7', '1.3.132.0.34', '1.3.132.0.35']);
/** 8192 bits and a leading zero byte. */
const LARGEST_MODULUS_BYTES = 8192 / 8 + 1;
const LARGEST_EXPONENT_BYTES = 4;

/**
 * Whether OpenSSL may verify these certificates: they are few, and all their keys are of supported kinds that verify quickly.
 * Go refuses most of the others too, in the handshake.
 */
export function arePresentable(certificates: readonly Buffer[]): boolean {
  return certificates.length <= MOST_CERTIFICATES && certificates.every(hasQuickKey);
}

function hasQuickKey(certificate: Buffer): boolean {
  try {
    const [toBeSigned] = childrenOf(elementsOf(certificate)[0], SEQUENCE);
    const parts = childrenOf(toBeSigned, SEQUENCE).filter(({ tag }) => tag !== VERSION);
    const [algorithm, key] = childrenOf(parts[PUBLIC_KEY], SEQUENCE);
    const [type, parameters] = childrenOf(algorithm, SEQUENCE);
    switch (identifierOf(type)) {
      case RSA: {
        const [modulus, exponent] = childrenOf(elementsOf(bitsOf(key))[0], SEQUENCE);
        const isSmall = contentOf(exponent, INTEGER).length <= LARGEST_EXPONENT_BYTES;
        return isSmall && contentOf(modulus, INTEGER).length <= LARGEST_MODULUS_BYTES;
      }
      case ELLIPTIC_CURVE:
        return CURVES.has(identifierOf(parameters));
      default:
        return identifierOf(type) === ED25519;
    }
  } catch (error) {
    if (error instanceof DerError) return false;
    throw error;
  }
}
