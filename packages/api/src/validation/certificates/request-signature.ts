import type { SignedRequest } from '@binnacle/apimachinery/certificaterequests';
import type { Buffer } from 'node:buffer';
import { constants, type KeyObject, verify } from 'node:crypto';
import {
  type SignatureAlgorithm,
  type SignatureKeyType,
  signatureAlgorithmOf,
  wholeOf,
} from '@binnacle/apimachinery/der';
import { algorithmOf, readPublicKey, UNIMPLEMENTED } from './public-key.js';

const MD5_WITH_RSA = '1.2.840.113549.1.1.4';
const INSECURE = 'x509: cannot verify signature: insecure algorithm MD5-RSA';
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
  const key = readPublicKey(publicKey);
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
