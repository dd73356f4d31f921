import type { SignedRequest } from '@binnacle/apimachinery/certificaterequests';
import { Buffer } from 'node:buffer';
import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import {
  bitsOf,
  childrenOf,
  DerError,
  type Element,
  identifierOf,
  LARGEST_RSA_EXPONENT,
  SEQUENCE,
  type SignatureAlgorithm,
  type SignatureKeyType,
  signatureAlgorithmOf,
  SMALLEST_RSA_KEY,
  wholeOf,
} from '@binnacle/apimachinery/der';

const NULL = Buffer.from([0x05, 0x00]);
const UNCOMPRESSED_POINT = 0x04;
const MD5_WITH_RSA = '1.2.840.113549.1.1.4';
const INSECURE = 'x509: cannot verify signature: insecure algorithm MD5-RSA';
const UNIMPLEMENTED = 'x509: cannot verify signature: algorithm unimplemented';
const KEY_TYPES: ReadonlyMap<string, SignatureKeyType> = new Map([
  ['1.2.840.113549.1.1.1', 'rsa'],
  ['1.2.840.10045.2.1', 'ec'],
  ['1.3.101.112', 'ed25519'],
]);
const CURVES = ['1.3.132.0.33', '1.2.840.10045.3.1.7', '1.3.132.0.34', '1.3.132.0.35'];
/** Go's names for each type of key, and its message when a signature does not match. */
const WORDS: Readonly<
  Record<SignatureKeyType, { readonly name: string; readonly goType: string; readonly failure: string }>
> = {
  rsa: { name: 'RSA', goType: '*rsa.PublicKey', failure: 'crypto/rsa: verification error' },
  ec: { name: 'ECDSA', goType: '*ecdsa.PublicKey', failure: 'x509: ECDSA verification failure' },
  ed25519: { name: 'Ed25519', goType: 'ed25519.PublicKey', failure: 'x509: Ed25519 verification failure' },
};

/**
 * Why the signature does not match the key in the request, in the words of Go's `crypto/x509`; undefined if it matches.
 * Throws {@link DerError} for a malformed key or algorithm.
 */
export function signatureProblem({ signed, publicKey, algorithm, signature }: SignedRequest): string | undefined {
  const key = readKey(publicKey);
  if (typeof key === 'string') return key;
  if (algorithmOf(algorithm).identifier === MD5_WITH_RSA) return INSECURE;
  const wanted = signatureAlgorithmOf(algorithm);
  if (wanted === undefined) return UNIMPLEMENTED;
  const type = key.asymmetricKeyType as SignatureKeyType;
  if (wanted.keyType !== type) {
    const having = `but have public key of type ${WORDS[type].goType}`;
    return `x509: signature algorithm specifies an ${WORDS[wanted.keyType].name} public key, ${having}`;
  }
  return isSigned(wanted, wholeOf(signed), key, signature) ? undefined : WORDS[type].failure;
}

function isSigned({ digest, isPss }: SignatureAlgorithm, signed: Buffer, key: KeyObject, signature: Buffer): boolean {
  if (!isPss) return verify(digest, signed, key, signature);
  const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_DIGEST: saltLength } = constants;
  return verify(digest, signed, { key, padding, saltLength }, signature);
}

/**
 * Accepts only keys that Go reads too, in the one form that both write. Returns a string as the reason for rejection.
 */
function readKey(info: Element | undefined): KeyObject | string {
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

function algorithmOf(element: Element | undefined): { identifier: string; parameters: Element | undefined } {
  const [identifier, parameters, ...others] = childrenOf(element, SEQUENCE);
  if (others.length > 0) throw new DerError('an algorithm with more than parameters');
  return { identifier: identifierOf(identifier), parameters };
}
