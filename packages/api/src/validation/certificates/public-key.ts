import { Buffer } from 'node:buffer';
import { createPublicKey, type KeyObject } from 'node:crypto';
import {
  bitsOf,
  childrenOf,
  DerError,
  type Element,
  elementsOf,
  identifierOf,
  LARGEST_RSA_EXPONENT,
  SEQUENCE,
  type SignatureKeyType,
  SMALLEST_RSA_KEY,
  wholeOf,
} from '@binnacle/apimachinery/der';

const NULL = Buffer.from([0x05, 0x00]);
const UNCOMPRESSED_POINT = 0x04;
const KEY_TYPES: ReadonlyMap<string, SignatureKeyType> = new Map([
  ['1.2.840.113549.1.1.1', 'rsa'],
  ['1.2.840.10045.2.1', 'ec'],
  ['1.3.101.112', 'ed25519'],
]);
const CURVES = ['1.3.132.0.33', '1.2.840.10045.3.1.7', '1.3.132.0.34', '1.3.132.0.35'];

export const UNIMPLEMENTED = 'x509: cannot verify signature: algorithm unimplemented';

/** The key of a SubjectPublicKeyInfo in DER; undefined for one that {@link readPublicKey} does not accept. */
export function publicKeyOf(bytes: Buffer): KeyObject | undefined {
  try {
    const [info, ...others] = elementsOf(bytes);
    const key = others.length > 0 ? undefined : readPublicKey(info);
    return typeof key === 'string' ? undefined : key;
  } catch {
    return undefined;
  }
}

/**
 * Accepts only keys that Go reads too, in the one form that both write. Returns a string as the reason for rejection, in the words
 * of Go's `crypto/x509`. Throws for a malformed key.
 */
export function readPublicKey(info: Element | undefined): KeyObject | string {
  const [head, bits, ...others] = childrenOf(info, SEQUENCE);
  const { identifier, parameters } = algorithmOf(head);
  const octets = bitsOf(bits);
  if (others.length > 0) throw new DerError('more than a key');
  const type = KEY_TYPES.get(identifier);
  if (type === undefined) return UNIMPLEMENTED;
  if (type === 'rsa' && parameters?.whole.equals(NULL) !== true) return 'x509: RSA key missing NULL parameters';
  if (type === 'ec' && !CURVES.includes(identifierOf(parameters))) return 'x509: unsupported elliptic curve';
  if (type === 'ec' && octets[0] !== UNCOMPRESSED_POINT) throw new DerError('a compressed point');
  if (type === 'ed25519' && parameters !== undefined) return 'x509: Ed25519 key encoded with illegal parameters';
  const encoded = wholeOf(info);
  const key = createPublicKey({ key: encoded, format: 'der', type: 'spki' });
  if (!key.export({ format: 'der', type: 'spki' }).equals(encoded)) throw new DerError('a key in another form');
  return rsaProblem(key) ?? key;
}

/** Upstream: Go's `crypto/rsa`. */
function rsaProblem({ asymmetricKeyDetails = {} }: KeyObject): string | undefined {
  const { modulusLength, publicExponent = 3n } = asymmetricKeyDetails;
  if (modulusLength !== undefined && modulusLength < SMALLEST_RSA_KEY) {
    const where = 'https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size';
    return `crypto/rsa: ${modulusLength}-bit keys are insecure (see ${where})`;
  }
  if (publicExponent < 2n || publicExponent % 2n === 0n) return 'crypto/rsa: public exponent is even';
  return publicExponent > LARGEST_RSA_EXPONENT ? 'crypto/rsa: public exponent too large' : undefined;
}

/** The parts of an AlgorithmIdentifier. */
export function algorithmOf(element: Element | undefined): { identifier: string; parameters: Element | undefined } {
  const [identifier, parameters, ...others] = childrenOf(element, SEQUENCE);
  if (others.length > 0) throw new DerError('an algorithm with more than parameters');
  return { identifier: identifierOf(identifier), parameters };
}
