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
import { certificatePem } from './certificate-pem.js';
import { serialNumber } from './serial-number.js';
import type { Issuer, Subject } from './issuer.js';

const day = 24 * 60 * 60 * 1000;
/** Certificates begin earlier, for clients whose clocks are slow. */
const clockSkew = 60 * 60 * 1000;
const authorityLifetime = 10 * 365 * day;
const leafLifetime = 365 * day;

/** A certificate authority that can sign. This file loads an encoding library; `createIssuer` loads it. */
export class CertificateIssuer implements Issuer {
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

  static create(name: string, now: number): CertificateIssuer {
    const { publicKey, privateKey } = generateKeys();
    // The suffix keeps the names of authorities from two first starts distinct.
    const subject = encodeName([['CN', `${name}-${randomBytes(4).toString('hex')}`]]);
    const content = {
      issuer: subject,
      subject,
      serialNumber: serialNumber(),
      notBefore: new Date(now - clockSkew),
      notAfter: new Date(now + authorityLifetime),
      publicKey,
      extensions: [basicConstraints(true), keyUsage(true), subjectKeyIdentifier(publicKey)],
    };
    const certificate = certificatePem(encodeCertificate(content, privateKey));
    return new CertificateIssuer({ certificate, privateKey: exportKey(privateKey) }, privateKey, now);
  }

  static load(authority: CertificatePair, now: number): CertificateIssuer {
    const key = createPrivateKey(authority.privateKey);
    if (key.asymmetricKeyType !== 'ec') {
      throw new Error('the key of the certificate authority is not on an elliptic curve');
    }
    return new CertificateIssuer(authority, key, now);
  }

  issueServing(commonName: string, hosts: readonly string[]): CertificatePair {
    return this.#issue({ commonName }, 'serverAuth', [subjectAlternativeName(hosts)]);
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
    return { certificate: certificatePem(encodeCertificate(content, this.#key)), privateKey: exportKey(privateKey) };
  }
}

function generateKeys(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

/** PEM with the key's type in the label, which some clients need. Upstream: keyutil's `MarshalPrivateKeyToPEM`. */
function exportKey(key: KeyObject): string {
  return key.export({ type: 'sec1', format: 'pem' }).toString();
}
