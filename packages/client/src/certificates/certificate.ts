import {
  type BaseBlock,
  BitString,
  Boolean as Asn1Boolean,
  GeneralizedTime,
  Integer,
  OctetString,
  Set as Asn1Set,
  UTCTime,
  Utf8String,
} from 'asn1js';
import { createHash, type KeyObject, type X509Certificate } from 'node:crypto';
import { parseIpAddress } from '@binnacle/apimachinery/validation';
import { child, decode, extension, oid, primitive, sequence, signed, tagged } from './asn1.js';

/** The content of a certificate. Upstream: RFC 5280, sections 4.1 and 4.2. */
export interface CertificateContent {
  /** DER, from {@link encodeName} or {@link subjectOf}. */
  readonly issuer: Uint8Array<ArrayBuffer>;
  readonly subject: Uint8Array<ArrayBuffer>;
  /** Positive, big-endian, at most 20 octets. */
  readonly serialNumber: Uint8Array<ArrayBuffer>;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly publicKey: KeyObject;
  readonly extensions: readonly BaseBlock[];
}

/** Signs a certificate. The result is DER. Throws for a key of an unknown type. */
export function encodeCertificate(content: CertificateContent, signingKey: KeyObject): Uint8Array {
  return signed(
    (algorithm) =>
      sequence(
        tagged(0, new Integer({ value: 2 })),
        new Integer({ valueHex: content.serialNumber }),
        algorithm,
        decode(content.issuer),
        sequence(time(content.notBefore), time(content.notAfter)),
        decode(content.subject),
        decode(publicKeyInfo(content.publicKey)),
        tagged(3, sequence(...content.extensions)),
      ),
    signingKey,
  );
}

/** A distinguished name with one attribute per level. */
export function encodeName(
  attributes: readonly (readonly [type: 'O' | 'CN', value: string])[],
): Uint8Array<ArrayBuffer> {
  const types = { O: '2.5.4.10', CN: '2.5.4.3' };
  const levels = attributes.map(
    ([type, value]) => new Asn1Set({ value: [sequence(oid(types[type]), new Utf8String({ value }))] }),
  );
  return new Uint8Array(sequence(...levels).toBER());
}

/** The exact bytes of a certificate's subject, because verifiers compare an issuer byte by byte. */
export function subjectOf(certificate: X509Certificate): Uint8Array<ArrayBuffer> {
  const subject = child(child(decode(new Uint8Array(certificate.raw)), 0), 5);
  return new Uint8Array(subject.toBER());
}

export function basicConstraints(isAuthority: boolean): BaseBlock {
  return extension('2.5.29.19', true, sequence(...(isAuthority ? [new Asn1Boolean({ value: true })] : [])));
}

/** An authority signs certificates and revocation lists; other keys only sign handshakes. */
export function keyUsage(isAuthority: boolean): BaseBlock {
  const [bits, unusedBits] = isAuthority ? [0b1000_0110, 1] : [0b1000_0000, 7];
  return extension('2.5.29.15', true, new BitString({ valueHex: Uint8Array.of(bits), unusedBits }));
}

export function extendedKeyUsage(usage: 'serverAuth' | 'clientAuth'): BaseBlock {
  const last = { serverAuth: 1, clientAuth: 2 }[usage];
  return extension('2.5.29.37', false, sequence(oid(`1.3.6.1.5.5.7.3.${last}`)));
}

export function subjectKeyIdentifier(publicKey: KeyObject): BaseBlock {
  return extension('2.5.29.14', false, new OctetString({ valueHex: keyIdentifier(publicKey) }));
}

export function authorityKeyIdentifier(publicKey: KeyObject): BaseBlock {
  const identifier = primitive(0, keyIdentifier(publicKey));
  return extension('2.5.29.35', false, sequence(identifier));
}

/** `hosts`: DNS names and IP addresses. */
export function subjectAlternativeName(hosts: readonly string[]): BaseBlock {
  const names = hosts.map((host) => {
    const address = parseIpAddress(host);
    return address === undefined
      ? primitive(2, Uint8Array.from(Buffer.from(host)))
      : primitive(7, Uint8Array.from(address.bytes));
  });
  return extension('2.5.29.17', false, sequence(...names));
}

/** The digest of the key's bits, without the algorithm. Upstream: RFC 5280, section 4.2.1.2, method 1. */
function keyIdentifier(publicKey: KeyObject): Uint8Array<ArrayBuffer> {
  const bits = child(decode(publicKeyInfo(publicKey)), 1);
  if (!(bits instanceof BitString)) throw new Error('a public key without bits');
  return new Uint8Array(createHash('sha1').update(bits.valueBlock.valueHexView).digest());
}

function publicKeyInfo(publicKey: KeyObject): Uint8Array<ArrayBuffer> {
  return new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }));
}

/** A year of two digits ends at 2049. */
function time(valueDate: Date): BaseBlock {
  return valueDate.getUTCFullYear() < 2050 ? new UTCTime({ valueDate }) : new GeneralizedTime({ valueDate });
}
