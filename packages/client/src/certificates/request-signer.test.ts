import assert from 'node:assert/strict';
import type { CertificateRequest } from '@binnacle/apimachinery/certificaterequests';
import { elementsOf } from '@binnacle/apimachinery/der';
import { generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import { encodeCertificate, basicConstraints, encodeName, subjectKeyIdentifier } from './certificate.js';
import { certificatePem } from './certificate-pem.js';
import { serialNumber } from './serial-number.js';
import { type CertificatePair, signerOf } from './index.js';

const now = Date.UTC(2027, 0, 1);
const terms = {
  usages: ['digital signature', 'key encipherment', 'client auth'],
  notBefore: now,
  notAfter: now + 3_600_000,
};

function authority({ publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject }): CertificatePair {
  const subject = encodeName([['CN', 'authority']]);
  const content = {
    issuer: subject,
    subject,
    serialNumber: serialNumber(),
    notBefore: new Date(now),
    notAfter: new Date(now + 86_400_000),
    publicKey,
    extensions: [basicConstraints(true), subjectKeyIdentifier(publicKey)],
  };
  const certificate = certificatePem(encodeCertificate(content, privateKey));
  return { certificate, privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const [signed] = elementsOf(Buffer.from('0500', 'hex'));
const [algorithm] = elementsOf(Buffer.from('300a06082a8648ce3d040302', 'hex'));
const proof = {
  signed,
  publicKey: undefined,
  algorithm,
  signature: sign('sha256', Buffer.from('0500', 'hex'), privateKey),
};
const noNames = { dnsNames: [], emailAddresses: [], uris: [], ipAddresses: [] };

function request(given: Partial<CertificateRequest>): CertificateRequest {
  return {
    commonName: '',
    organizations: [],
    subject: [],
    alternativeNames: noNames,
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
    proof,
    ...given,
  };
}

const attribute = (arc: number, value: string) => ({ type: `2.5.4.${arc}`, value });

describe('the signer of requests', () => {
  for (const [what, keys] of [
    ['RSA', generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ['P-256', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['P-384', generateKeyPairSync('ec', { namedCurve: 'P-384' })],
    ['Ed25519', generateKeyPairSync('ed25519')],
  ] as const) {
    it(`signs with a key of ${what}`, async () => {
      const pair = authority(keys);
      const subject = [attribute(3, 'jane'), attribute(10, 'ops'), attribute(10, 'dev'), attribute(3, 'jäne')];
      const certificate = new X509Certificate((await signerOf(pair)).sign(request({ subject }), terms));
      const issuer = new X509Certificate(pair.certificate);
      assert.ok(certificate.verify(keys.publicKey) && certificate.checkIssued(issuer));
      assert.equal(certificate.subject, 'O=dev + O=ops\nCN=jäne');
      assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.2']);
      assert.equal(certificate.ca, false);
      assert.equal(certificate.subjectAltName, undefined);
      assert.deepEqual([Date.parse(certificate.validFrom), Date.parse(certificate.validTo)], [now, now + 3_600_000]);
      assert.ok(certificate.publicKey.equals(publicKey));
    });
  }

  it('takes the last common name, which is none if it is empty', async () => {
    const subject = [attribute(3, 'admin'), attribute(10, 'ops'), attribute(3, '')];
    const pem = (await signerOf(authority({ publicKey, privateKey }))).sign(request({ subject }), terms);
    assert.equal(new X509Certificate(pem).subject, 'O=ops');
  });

  it('takes the alternative names, and no attributes of unknown types', async () => {
    const pair = authority(generateKeyPairSync('ec', { namedCurve: 'P-256' }));
    const alternativeNames = {
      dnsNames: ['a.example'],
      emailAddresses: ['a@example'],
      uris: ['spiffe://a'],
      ipAddresses: [Buffer.of(10, 1, 2, 3)],
    };
    const subject = [{ type: '1.2.3', value: 'x' }];
    const usages = ['cert sign', 'decipher only', 'server auth', 'any', 's/mime', 'email protection', 'unknown'];
    const text = (await signerOf(pair)).sign(request({ subject, alternativeNames }), { ...terms, usages });
    const certificate = new X509Certificate(text);
    assert.equal(certificate.subjectAltName, 'DNS:a.example, email:a@example, IP Address:10.1.2.3, URI:spiffe://a');
    assert.deepEqual(certificate.keyUsage, ['2.5.29.37.0', '1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.4']);
    assert.equal(certificate.subject, undefined);
  });

  it('signs no request that is not signed with its key', async () => {
    const signer = await signerOf(authority(generateKeyPairSync('ec', { namedCurve: 'P-256' })));
    for (const wrong of [
      { ...proof, signature: Buffer.from('0500', 'hex') },
      { ...proof, signed: algorithm },
      { ...proof, algorithm: signed },
      { ...proof, signed: undefined },
    ]) {
      assert.throws(() => signer.sign(request({ proof: wrong }), terms));
    }
  });
});
