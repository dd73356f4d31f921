import { childrenOf, contentOf, DerError, type Element, identifierOf, INTEGER, SEQUENCE } from './der.js';

export type SignatureKeyType = 'rsa' | 'ec' | 'ed25519';

/** How a certificate or a certificate request is signed. */
export interface SignatureAlgorithm {
  readonly keyType: SignatureKeyType;
  /** Undefined if the key determines it. */
  readonly digest: 'sha1' | 'sha256' | 'sha384' | 'sha512' | undefined;
  /** RSA with PSS padding; the salt is as long as the digest. */
  readonly isPss: boolean;
}

/** The shortest RSA key that Go accepts, in bits. */
export const SMALLEST_RSA_KEY = 1024;
/** The largest exponent that Go accepts. Larger ones make each verification a hundred times as expensive. */
export const LARGEST_RSA_EXPONENT = 2n ** 31n - 1n;
/** With the exponent 1, each padded digest is its own signature. */
const SMALLEST_RSA_EXPONENT = 3n;

const PSS = '1.2.840.113549.1.1.10';
const MASK_FUNCTION = '1.2.840.113549.1.1.8';
const NULL_TAG = 0x05;

const algorithms: ReadonlyMap<string, SignatureAlgorithm> = new Map([
  algorithm('1.2.840.113549.1.1.5', 'rsa', 'sha1'),
  algorithm('1.3.14.3.2.29', 'rsa', 'sha1'),
  algorithm('1.2.840.113549.1.1.11', 'rsa', 'sha256'),
  algorithm('1.2.840.113549.1.1.12', 'rsa', 'sha384'),
  algorithm('1.2.840.113549.1.1.13', 'rsa', 'sha512'),
  algorithm('1.2.840.10045.4.1', 'ec', 'sha1'),
  algorithm('1.2.840.10045.4.3.2', 'ec', 'sha256'),
  algorithm('1.2.840.10045.4.3.3', 'ec', 'sha384'),
  algorithm('1.2.840.10045.4.3.4', 'ec', 'sha512'),
  algorithm('1.3.101.112', 'ed25519', undefined),
]);
/** Hashes for PSS, with the length of the salt in octets. */
const pssHashes: ReadonlyMap<string, readonly [digest: SignatureAlgorithm['digest'], salt: number]> = new Map([
  ['2.16.840.1.101.3.4.2.1', ['sha256', 32]],
  ['2.16.840.1.101.3.4.2.2', ['sha384', 48]],
  ['2.16.840.1.101.3.4.2.3', ['sha512', 64]],
]);

/** What `node:crypto` says about an RSA key. */
interface RsaKey {
  /** Bits. */
  readonly modulusLength?: number | undefined;
  readonly publicExponent?: bigint | undefined;
}

/** Whether Go verifies signatures with this key. Upstream: Go's `crypto/rsa`. */
export function isStrongRsaKey({ modulusLength = 0, publicExponent = 0n }: RsaKey): boolean {
  const isExponent = publicExponent >= SMALLEST_RSA_EXPONENT && publicExponent <= LARGEST_RSA_EXPONENT;
  return modulusLength >= SMALLEST_RSA_KEY && isExponent && publicExponent % 2n === 1n;
}

/**
 * The algorithm of an AlgorithmIdentifier; undefined if Go does not know it. Upstream: Go's `crypto/x509`
 * getSignatureAlgorithmFromAI.
 */
export function signatureAlgorithmOf(element: Element | undefined): SignatureAlgorithm | undefined {
  const [identifier, parameters] = childrenOf(element, SEQUENCE);
  const name = identifierOf(identifier);
  if (name === PSS) return pssAlgorithm(parameters);
  const known = algorithms.get(name);
  return known?.keyType === 'ed25519' && parameters !== undefined ? undefined : known;
}

/** PSS with the same hash for the message and the mask, and a salt of the hash's length. */
function pssAlgorithm(parameters: Element | undefined): SignatureAlgorithm | undefined {
  try {
    const [hash, mask, salt, trailer] = childrenOf(parameters, SEQUENCE);
    const hashName = plainIdentifier(childrenOf(hash, 0xa0)[0]);
    const [maskName, maskHash] = childrenOf(childrenOf(mask, 0xa1)[0], SEQUENCE);
    if (identifierOf(maskName) !== MASK_FUNCTION || plainIdentifier(maskHash) !== hashName) return undefined;
    const [digest, length] = pssHashes.get(hashName) ?? [];
    const isWhole = trailer === undefined || smallInteger(childrenOf(trailer, 0xa3)[0]) === 1;
    const isSalted = smallInteger(childrenOf(salt, 0xa2)[0]) === length;
    return digest !== undefined && isWhole && isSalted ? { keyType: 'rsa', digest, isPss: true } : undefined;
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}

/** The name of an algorithm whose parameters are NULL or absent. */
function plainIdentifier(element: Element | undefined): string {
  const [identifier, parameters] = childrenOf(element, SEQUENCE);
  if (parameters !== undefined && contentOf(parameters, NULL_TAG).length > 0)
    throw new DerError('parameters of a hash');
  return identifierOf(identifier);
}

function smallInteger(element: Element | undefined): number {
  const [octet, ...others] = contentOf(element, INTEGER);
  if (octet === undefined || others.length > 0) throw new DerError('a long number');
  return octet;
}

function algorithm(
  identifier: string,
  keyType: SignatureKeyType,
  digest: SignatureAlgorithm['digest'],
): [string, SignatureAlgorithm] {
  return [identifier, { keyType, digest, isPss: false }];
}
