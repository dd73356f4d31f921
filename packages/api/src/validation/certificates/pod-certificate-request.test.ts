import { constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, it } from 'node:test';
import type { PodCertificateRequest } from '../../generated/types/certificates-v1beta1.js';
import { validatePodCertificateRequest, validatePodCertificateRequestUpdate } from '../index.js';
import { checkRule, checkUpdate } from '../rules.testing.js';
import { STUB_DER } from './pod-certificate.testing.js';

const request: PodCertificateRequest = {
  metadata: { name: 'x', uid: 'u', resourceVersion: '1' },
  spec: {
    signerName: 'example.com/signer',
    podName: 'p',
    podUID: 'pod-uid',
    serviceAccountName: 'default',
    serviceAccountUID: 'account-uid',
    nodeName: 'n',
    nodeUID: 'node-uid',
    maxExpirationSeconds: 86400,
    stubPKCS10Request: STUB_DER,
  },
};
const UID = Buffer.from('pod-uid');

function spec(fields: object): (object: PodCertificateRequest) => void {
  return (object) => Object.assign(object.spec, fields);
}

/** A key, and proof of its possession, in place of a stub request. */
function proven(publicKey: KeyObject, proof: Buffer): (object: PodCertificateRequest) => void {
  const key = publicKey.export({ format: 'der', type: 'spki' });
  const fields = { pkixPublicKey: key.toString('base64'), proofOfPossession: proof.toString('base64') };
  return (object) => {
    Object.assign(object.spec, { ...fields, stubPKCS10Request: '' });
  };
}

const range = (value: number, maximum = 7_862_400): string =>
  `spec.maxExpirationSeconds: Invalid value: ${value}: must be in the range [3600, ${maximum}]`;
const CHOICE =
  'spec: Invalid value: exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set';
const UNPROVEN = 'spec.proofOfPossession: Invalid value: could not verify proof-of-possession signature';
const BAD_STUB = 'spec.stubPKCS10Request: Invalid value: must be a valid PKCS#10 CSR';

describe('a request for the certificate of a pod', () => {
  it('names a signer, a pod, its account and its node', () => {
    const subdomain =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
    checkRule(validatePodCertificateRequest, request, [
      [spec({ signerName: '' }), ['spec.signerName: Required value']],
      [spec({ podName: 'P' }), [`spec.podName: Invalid value: "P": ${subdomain}`]],
      [
        spec({ podUID: '', nodeUID: 'u'.repeat(129) }),
        ['spec.podUID: Invalid value: "": must not be empty', 'spec.nodeUID: Too long: may not be more than 128 bytes'],
      ],
      [
        spec({ unverifiedUserAnnotations: { a: 'b' } }),
        ['spec.unverifiedUserAnnotations: Invalid value: "a": must be a domain-prefixed key (such as "acme.io/foo")'],
      ],
    ]);
  });

  it('asks for an hour at least, and for a day at most of a signer of Kubernetes', () => {
    checkRule(validatePodCertificateRequest, request, [
      [(object) => delete object.spec.maxExpirationSeconds, ['spec.maxExpirationSeconds: Required value: must be set']],
      [spec({ maxExpirationSeconds: 3599 }), [range(3599)]],
      [spec({ maxExpirationSeconds: 7_862_401 }), [range(7_862_401)]],
      [spec({ signerName: 'a.kubernetes.io/x', maxExpirationSeconds: 86_401 }), [range(86_401, 86_400)]],
    ]);
  });

  it('has a stub that its key signs, or a key and proof of its possession', () => {
    const tampered = `${STUB_DER.slice(0, -8)}AAAAAA==`;
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const small = generateKeyPairSync('ec', { namedCurve: 'P-224' });
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    checkRule(validatePodCertificateRequest, request, [
      [spec({ stubPKCS10Request: '' }), [CHOICE]],
      [spec({ pkixPublicKey: 'AAAA' }), [CHOICE]],
      [spec({ stubPKCS10Request: 'AAAA' }), [BAD_STUB]],
      [spec({ stubPKCS10Request: tampered }), ['spec.stubPKCS10Request: Invalid value: invalid signature']],
      [
        spec({ stubPKCS10Request: Buffer.alloc(10_241).toString('base64') }),
        ['spec.stubPKCS10Request: Too long: may not be more than 10240 bytes'],
      ],
      [proven(ec.publicKey, sign('sha256', Buffer.from('other'), ec.privateKey)), [UNPROVEN]],
      [proven(ec.publicKey, sign('sha256', UID, small.privateKey)), [UNPROVEN]],
      [
        proven(small.publicKey, sign('sha256', UID, small.privateKey)),
        ['spec.pkixPublicKey: Invalid value: "curve P-224": elliptic public keys must use curve P256 or P384'],
      ],
      [
        proven(rsa.publicKey, sign('sha256', UID, rsa.privateKey)),
        ['spec.pkixPublicKey: Invalid value: "2048-bit modulus": RSA keys must have modulus size 3072 or 4096'],
      ],
    ]);
  });

  it('accepts a key of each kind that proves its possession', () => {
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-384' });
    const ed = generateKeyPairSync('ed25519');
    const rsa = generateKeyPairSync('rsa', { modulusLength: 3072 });
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    checkRule(validatePodCertificateRequest, request, [
      [proven(ec.publicKey, sign('sha256', UID, ec.privateKey)), []],
      [proven(ed.publicKey, sign(null, UID, ed.privateKey)), []],
      [proven(rsa.publicKey, sign('sha256', UID, { key: rsa.privateKey, padding })), []],
    ]);
  });

  it('never changes', () => {
    const changed = { ...request.spec, podName: 'q' };
    checkUpdate(validatePodCertificateRequestUpdate, request, [
      [spec({ podName: 'q' }), [`spec: Invalid value: ${JSON.stringify(changed)}: field is immutable`]],
    ]);
  });
});
