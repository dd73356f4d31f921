import type { BaseBlock } from 'asn1js';
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, X509Certificate } from 'node:crypto';
import {
  authorityKeyIdentifier,
  basicConstraints,
  encodeCertificate,
  encodeName,
  extendedKeyUsage,
  keyUsage,
  subjectAlternativeName,
  subjectKeyIdentifier,
  subjectOf,
} from './certificate.js';
import type { CertificatePair } from './certificate-pair.js';

const day = 24 * 60 * 60 * 1000;
/** Certificates begin earlier, for clients whose clocks are slow. */
const clockSkew = 60 * 60 * 1000;
const authorityLifetime = 10 * 365 * day;
const leafLifetime = 365 * day;

export interface Subject {
  readonly commonName: string;
  readonly organization?: string;
}

/**
 * A certificate authority that can sign. It loads an encoding library, so import it only when a certificate must be
 * generated.
 */
export class Issuer {
  readonly authority: CertificatePair;
  readonly #certificate: X509Certificate;
  readonly #key: KeyObject;
  readonly #now: number;

  private constructor(authority: CertificatePair, key: KeyObject, now: number) {
    this.authority = authority;
    this.#certificate = new X509Certificate(authority.certificate);
    this.#key = key;
    this.#now = now;
  }

  /** Generates a self-signed authority. `now`: milliseconds since 1970. */
  static create(authority: string, now: number): Issuer {
    const { publicKey, privateKey } = generateKeys();
    // The suffix keeps the names of authorities from two first starts distinct.
    const name = encodeName([['CN', `${authority}-${randomBytes(4).toString('hex')}`]]);
    const content = {
      issuer: name,
      subject: name,
      serialNumber: serialNumber(),
      notBefore: new Date(now - clockSkew),
      notAfter: new Date(now + authorityLifetime),
      publicKey,
      extensions: [basicConstraints(true), keyUsage(true), subjectKeyIdentifier(publicKey)],
    };
    const certificate = toPem(encodeCertificate(content, privateKey));
    return new Issuer({ certificate, privateKey: exportKey(privateKey) }, privateKey, now);
  }

  /** Throws for a key that is not on an elliptic curve. */
  static load(authority: CertificatePair, now: number): Issuer {
    const key = createPrivateKey(authority.privateKey);
    if (key.asymmetricKeyType !== 'ec') {
      throw new Error('the key of the certificate authority is not on an elliptic curve');
    }
    return new Issuer(authority, key, now);
  }

  issueServing(hosts: readonly string[]): CertificatePair {
    return this.#issue({ commonName: 'kube-apiserver' }, 'serverAuth', [subjectAlternativeName(hosts)]);
  }

  issueClient(subject: Subject): CertificatePair {
    return this.#issue(subject, 'clientAuth', []);
  }

  #issue(subject: Subject, usage: 'serverAuth' | 'clientAuth', extensions: readonly BaseBlock[]): CertificatePair {
    const { publicKey, privateKey } = generateKeys();
    const { commonName, organization } = subject;
    const content = {
      issuer: subjectOf(this.#certificate),
      subject: encodeName([...(organization === undefined ? [] : [['O', organization] as const]), ['CN', commonName]]),
      serialNumber: serialNumber(),
      notBefore: new Date(this.#now - clockSkew),
      // No client accepts the certificate after its authority has expired.
      notAfter: new Date(Math.min(this.#now + leafLifetime, Date.parse(this.#certificate.validTo))),
      publicKey,
      extensions: [
        basicConstraints(false),
        keyUsage(false),
        extendedKeyUsage(usage),
        authorityKeyIdentifier(this.#certificate.publicKey),
        ...extensions,
      ],
    };
    return { certificate: toPem(encodeCertificate(content, this.#key)), privateKey: exportKey(privateKey) };
  }
}

function generateKeys(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

/** Positive and at most 20 octets, as RFC 5280 requires. */
function serialNumber(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(randomBytes(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}

/** PEM with the key's type in the label, which some clients need. Upstream: keyutil's `MarshalPrivateKeyToPEM`. */
function exportKey(key: KeyObject): string {
  return key.export({ type: 'sec1', format: 'pem' }).toString();
}

function toPem(certificate: Uint8Array): string {
  const lines =
    Buffer.from(certificate)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
