import type { AlternativeNames, CertificateRequest, SignedRequest } from '@binnacle/apimachinery/certificaterequests';
import { signatureAlgorithmOf } from '@binnacle/apimachinery/der';
import {
  type BaseBlock,
  BitString,
  ObjectIdentifier,
  OctetString,
  PrintableString,
  Set as Asn1Set,
  Utf8String,
} from 'asn1js';
import { constants, createPrivateKey, createPublicKey, type KeyObject, verify, X509Certificate } from 'node:crypto';
import { child, decode, extension, oid, primitive, sequence } from './asn1.js';
import { basicConstraints, encodeCertificate, subjectOf } from './certificate.js';
import type { CertificatePair } from './certificate-pair.js';
import { certificatePem } from './certificate-pem.js';
import { serialNumber } from './serial-number.js';
import type { Signer, SigningTerms } from './signer.js';

/** Bits of the extension, by the names of the certificates API. */
const keyUsageBits: ReadonlyMap<string, number> = new Map([
  ['signing', 0],
  ['digital signature', 0],
  ['content commitment', 1],
  ['key encipherment', 2],
  ['data encipherment', 3],
  ['key agreement', 4],
  ['cert sign', 5],
  ['crl sign', 6],
  ['encipher only', 7],
  ['decipher only', 8],
]);

/** In the order in which Go writes them. */
const extendedUsages: ReadonlyMap<string, string> = new Map([
  ['any', '2.5.29.37.0'],
  ['server auth', '1.3.6.1.5.5.7.3.1'],
  ['client auth', '1.3.6.1.5.5.7.3.2'],
  ['code signing', '1.3.6.1.5.5.7.3.3'],
  ['email protection', '1.3.6.1.5.5.7.3.4'],
  ['s/mime', '1.3.6.1.5.5.7.3.4'],
  ['ipsec end system', '1.3.6.1.5.5.7.3.5'],
  ['ipsec tunnel', '1.3.6.1.5.5.7.3.6'],
  ['ipsec user', '1.3.6.1.5.5.7.3.7'],
  ['timestamping', '1.3.6.1.5.5.7.3.8'],
  ['ocsp signing', '1.3.6.1.5.5.7.3.9'],
  ['microsoft sgc', '1.3.6.1.4.1.311.10.3.3'],
  ['netscape sgc', '2.16.840.1.113730.4.1'],
]);

/** The attributes of a subject that certificates get, in the order in which Go writes them. The last two have the same value. */
const subjectTypes = ['6', '10', '11', '7', '8', '9', '17', '3', '5'].map((arc) => `2.5.4.${arc}`);
const SINGLE_TYPES = ['2.5.4.3', '2.5.4.5'];
const PRINTABLE = /^[A-Za-z0-9 '()+,\-./:=?]*$/;

/** Upstream: kubernetes `pkg/controller/certificates/authority`, and Go's `crypto/x509`. This file loads an encoding library. */
export class RequestSigner implements Signer {
  readonly #certificate: X509Certificate;
  readonly #key: KeyObject;

  constructor({ certificate, privateKey }: CertificatePair) {
    this.#certificate = new X509Certificate(certificate);
    this.#key = createPrivateKey(privateKey);
  }

  get expiresAt(): number {
    return Date.parse(this.#certificate.validTo);
  }

  sign(request: CertificateRequest, { usages, notBefore, notAfter }: SigningTerms): string {
    const publicKey = createPublicKey({ key: request.publicKey, format: 'der', type: 'spki' });
    if (!isProven(request.proof, publicKey)) throw new Error('unable to verify certificate request signature');
    const subject = requestedSubject(request);
    const content = {
      issuer: subjectOf(this.#certificate),
      subject: new Uint8Array(subject.toBER()),
      serialNumber: serialNumber(),
      notBefore: new Date(notBefore),
      notAfter: new Date(notAfter),
      publicKey,
      extensions: [
        ...keyUsage(usages),
        ...extendedKeyUsage(usages),
        basicConstraints(false),
        ...authorityKey(this.#certificate),
        ...alternativeNames(request.alternativeNames, subject.valueBlock.value.length === 0),
      ],
    };
    return certificatePem(encodeCertificate(content, this.#key));
  }
}

/** Whether the request is signed with its key: who asks for a certificate has the key. */
function isProven({ signed, algorithm, signature }: SignedRequest, key: KeyObject): boolean {
  const wanted = signatureAlgorithmOf(algorithm);
  if (signed === undefined || wanted === undefined || wanted.keyType !== key.asymmetricKeyType) return false;
  const { digest, isPss } = wanted;
  if (!isPss) return verify(digest, signed.whole, key, signature);
  const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_DIGEST: saltLength } = constants;
  return verify(digest, signed.whole, { key, padding, saltLength }, signature);
}

/** All values of a type are one level. */
function requestedSubject({ subject }: CertificateRequest) {
  const levels = subjectTypes.flatMap((type) => {
    const values = subject.filter((attribute) => attribute.type === type).map(({ value }) => value);
    const kept = SINGLE_TYPES.includes(type) ? values.slice(-1).filter((value) => value !== '') : values;
    return kept.length === 0 ? [] : [level(type, kept)];
  });
  return sequence(...levels);
}

/** A set has its elements in the order of their encodings. */
function level(type: string, values: readonly string[]): BaseBlock {
  const attributes = values.map((value) =>
    sequence(oid(type), PRINTABLE.test(value) ? new PrintableString({ value }) : new Utf8String({ value })),
  );
  const encoded = attributes.map((value) => ({ value, bytes: Buffer.from(value.toBER()) }));
  encoded.sort((one, other) => Buffer.compare(one.bytes, other.bytes));
  return new Asn1Set({ value: encoded.map(({ value }) => value) });
}

function keyUsage(usages: readonly string[]): BaseBlock[] {
  const bits = usages.map((usage) => keyUsageBits.get(usage)).filter((bit) => bit !== undefined);
  if (bits.length === 0) return [];
  const last = Math.max(...bits);
  const valueHex = new Uint8Array(Math.floor(last / 8) + 1);
  for (const bit of bits) valueHex[Math.floor(bit / 8)] = (valueHex[Math.floor(bit / 8)] ?? 0) | (0x80 >> (bit % 8));
  return [extension('2.5.29.15', true, new BitString({ valueHex, unusedBits: 7 - (last % 8) }))];
}

function extendedKeyUsage(usages: readonly string[]): BaseBlock[] {
  const wanted = [...extendedUsages].filter(([usage]) => usages.includes(usage)).map(([, identifier]) => identifier);
  const identifiers = [...new Set(wanted)];
  return identifiers.length === 0 ? [] : [extension('2.5.29.37', false, sequence(...identifiers.map(oid)))];
}

/** The key identifier that the authority's certificate gives, if any. */
function authorityKey({ raw }: X509Certificate): BaseBlock[] {
  const information = child(decode(new Uint8Array(raw)), 0);
  const extensions = partsOf(partsOf(information).at(-1)).at(0);
  const found = partsOf(extensions).find((each) => identifies(each, '2.5.29.14'));
  const value = partsOf(found).at(-1);
  if (!(value instanceof OctetString)) return [];
  const identifier = decode(new Uint8Array(value.getValue()));
  if (!(identifier instanceof OctetString)) return [];
  const bytes = new Uint8Array(identifier.getValue());
  return [extension('2.5.29.35', false, sequence(primitive(0, bytes)))];
}

function partsOf(block: BaseBlock | undefined): readonly BaseBlock[] {
  const { value } = (block?.valueBlock ?? {}) as { readonly value?: unknown };
  return Array.isArray(value) ? (value as BaseBlock[]) : [];
}

function identifies(block: BaseBlock, identifier: string): boolean {
  const [type] = partsOf(block);
  return type instanceof ObjectIdentifier && type.getValue() === identifier;
}

/** Critical for a certificate without a subject. */
function alternativeNames(
  { dnsNames, emailAddresses, ipAddresses, uris }: AlternativeNames,
  isOnlyName: boolean,
): BaseBlock[] {
  const texts = (tag: number, values: readonly string[]) =>
    values.map((value) => primitive(tag, Uint8Array.from(Buffer.from(value, 'latin1'))));
  const names = [
    ...texts(2, dnsNames),
    ...texts(1, emailAddresses),
    ...ipAddresses.map((address) => primitive(7, Uint8Array.from(address))),
    ...texts(6, uris),
  ];
  return names.length === 0 ? [] : [extension('2.5.29.17', isOnlyName, sequence(...names))];
}
