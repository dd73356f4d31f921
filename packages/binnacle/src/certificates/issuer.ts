// The library asks for the metadata polyfill before its own first line.
import 'reflect-metadata';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { randomBytes, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import type { CertificatePair } from './certificate-set.js';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const day = 24 * 60 * 60 * 1000;
/** Clients whose clocks are behind must not find the certificate in the future. */
const clockSkew = 60 * 60 * 1000;
const authorityLifetime = 10 * 365 * day;
const leafLifetime = 365 * day;

export interface Subject {
  readonly commonName: string;
  readonly organization?: string;
}

/** A certificate authority that can sign. Loading this file loads the library; import it when something must be made. */
export class Issuer {
  readonly authority: CertificatePair;
  readonly #certificate: X509Certificate;
  readonly #key: webcrypto.CryptoKey;
  readonly #now: number;

  private constructor(authority: CertificatePair, certificate: X509Certificate, key: webcrypto.CryptoKey, now: number) {
    this.authority = authority;
    this.#certificate = certificate;
    this.#key = key;
    this.#now = now;
  }

  /** A new authority, signed by itself. `now`: milliseconds since 1970. */
  static async create(now: number): Promise<Issuer> {
    const keys = await generateKeys();
    const certificate = await X509CertificateGenerator.createSelfSigned({
      serialNumber: serialNumber(),
      // Two authorities made by two first starts must not be taken for each other by their names.
      name: [{ CN: [`binnacle-ca-${randomBytes(4).toString('hex')}`] }],
      notBefore: new Date(now - clockSkew),
      notAfter: new Date(now + authorityLifetime),
      keys,
      signingAlgorithm: algorithm,
      extensions: [
        new BasicConstraintsExtension(true, undefined, true),
        new KeyUsagesExtension(
          KeyUsageFlags.digitalSignature | KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign,
          true,
        ),
        await SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    const authority = { certificate: toPem(certificate), privateKey: await exportKey(keys.privateKey) };
    return new Issuer(authority, certificate, keys.privateKey, now);
  }

  static async load(authority: CertificatePair, now: number): Promise<Issuer> {
    const [encoded] = PemConverter.decode(authority.privateKey);
    if (encoded === undefined) throw new Error('the private key of the certificate authority is empty');
    const key = await webcrypto.subtle.importKey('pkcs8', encoded, algorithm, true, ['sign']);
    return new Issuer(authority, new X509Certificate(authority.certificate), key, now);
  }

  issueServing(hosts: readonly string[]): Promise<CertificatePair> {
    const names = hosts.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value }));
    return this.#issue({ commonName: 'kube-apiserver' }, ExtendedKeyUsage.serverAuth, [
      new SubjectAlternativeNameExtension(names),
    ]);
  }

  issueClient(subject: Subject): Promise<CertificatePair> {
    return this.#issue(subject, ExtendedKeyUsage.clientAuth, []);
  }

  async #issue(subject: Subject, usage: ExtendedKeyUsage, extensions: readonly Extension[]): Promise<CertificatePair> {
    const keys = await generateKeys();
    const certificate = await X509CertificateGenerator.create({
      serialNumber: serialNumber(),
      subject: [
        ...(subject.organization === undefined ? [] : [{ O: [subject.organization] }]),
        { CN: [subject.commonName] },
      ],
      issuer: this.#certificate.subject,
      notBefore: new Date(this.#now - clockSkew),
      // Not beyond the authority's own end, after which no client accepts it.
      notAfter: new Date(Math.min(this.#now + leafLifetime, this.#certificate.notAfter.getTime())),
      publicKey: keys.publicKey,
      signingKey: this.#key,
      signingAlgorithm: algorithm,
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([usage]),
        await AuthorityKeyIdentifierExtension.create(this.#certificate.publicKey),
        ...extensions,
      ],
    });
    return { certificate: toPem(certificate), privateKey: await exportKey(keys.privateKey) };
  }
}

cryptoProvider.set(webcrypto);

function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

/** Positive and at most 20 octets, as RFC 5280 asks. */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString('hex');
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  return `${PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')}\n`;
}

function toPem(certificate: X509Certificate): string {
  return `${certificate.toString('pem')}\n`;
}
