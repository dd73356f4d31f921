import { Buffer } from 'node:buffer';
import { createPublicKey, verify } from 'node:crypto';
import { createRequire } from 'node:module';
import type * as asn1Csr from '@peculiar/asn1-csr';
import type * as asn1Schema from '@peculiar/asn1-schema';
import { pemBlocks } from './pem.js';

/** Loaded when the first request comes: no other kind needs it. */
const load = createRequire(import.meta.url);
const MALFORMED = 'x509: malformed certificate request';
/** Names of signature algorithms, by the digest that goes with them. */
const DIGESTS: ReadonlyMap<string, { readonly digest: string | undefined; readonly failure: string }> = new Map([
  ...signatures('crypto/rsa: verification error', {
    '1.2.840.113549.1.1.5': 'sha1',
    '1.2.840.113549.1.1.11': 'sha256',
    '1.2.840.113549.1.1.12': 'sha384',
    '1.2.840.113549.1.1.13': 'sha512',
  }),
  ...signatures('x509: ECDSA verification failure', {
    '1.2.840.10045.4.1': 'sha1',
    '1.2.840.10045.4.3.2': 'sha256',
    '1.2.840.10045.4.3.3': 'sha384',
    '1.2.840.10045.4.3.4': 'sha512',
  }),
  ...signatures('x509: Ed25519 verification failure', { '1.3.101.112': undefined }),
]);

function signatures(
  failure: string,
  digests: Readonly<Record<string, string | undefined>>,
): [string, { digest: string | undefined; failure: string }][] {
  return Object.entries(digests).map(([identifier, digest]) => [identifier, { digest, failure }]);
}

/**
 * What is wrong with a PKCS #10 request in PEM, given in base64; undefined when nothing is. Whoever asks must hold the key
 * that the request is signed with. Upstream: `validateCSR`, `ParseCSR`.
 */
export function certificateRequestProblem(request: string): string | undefined {
  const block = pemBlocks(Buffer.from(request, 'base64').toString('latin1'))[0];
  if (block?.type !== 'CERTIFICATE REQUEST') return 'PEM block type must be CERTIFICATE REQUEST';
  const { AsnConvert } = load('@peculiar/asn1-schema') as typeof asn1Schema;
  const { CertificationRequest } = load('@peculiar/asn1-csr') as typeof asn1Csr;
  try {
    const parsed = AsnConvert.parse(block.bytes, CertificationRequest);
    const algorithm = DIGESTS.get(parsed.signatureAlgorithm.algorithm);
    if (algorithm === undefined) return 'x509: cannot verify signature: algorithm unimplemented';
    const { certificationRequestInfo: info, certificationRequestInfoRaw: raw } = parsed;
    const key = Buffer.from(AsnConvert.serialize(info.subjectPKInfo));
    const signed = verify(
      algorithm.digest,
      Buffer.from(raw ?? AsnConvert.serialize(info)),
      createPublicKey({ key, format: 'der', type: 'spki' }),
      Buffer.from(parsed.signature),
    );
    return signed ? undefined : algorithm.failure;
  } catch {
    return MALFORMED;
  }
}
