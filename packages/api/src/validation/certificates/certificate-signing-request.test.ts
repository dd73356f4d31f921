import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CertificateSigningRequest } from '../../generated/types/certificates-v1.js';
import {
  validateCertificateSigningRequest,
  validateCertificateSigningRequestApprovalUpdate,
  validateCertificateSigningRequestStatusUpdate,
  validateCertificateSigningRequestUpdate,
} from '../index.js';
import { checkRule, checkUpdate, texts } from '../rules.testing.js';

/** A fixture: subject CN=jane, a P-256 key, signed with that key. */
const REQUEST_DER = [
  'MIHIMHECAQAwDzENMAsGA1UEAwwEamFuZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABIjrw01FNXmQL0uLb4h+oL6Yus9c',
  '/KKrGSuHeCl73ef32HYazCeXXJu3TkW91J5zMy767nROtgtFeWKx25+Xg3CgADAKBggqhkjOPQQDAgNHADBEAiAIxa8YSF2V',
  '3JVRvUm9Db32b1PbGo8VXxBMaN1K0A7+NAIgPtV7FUroPwoa8s+KFpwONgTMFgJkpL5XHC2skvtIWI8=',
].join('');
const CERTIFICATE_DER = [
  'MIIBdjCCARugAwIBAgIUZ7TqTzYfWWsDiy49WkhDN5U+PSYwCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEamFuZTAgFw0yNjEx',
  'MjEwMjI1MzZaGA8yMTI2MTAyODAyMjUzNlowDzENMAsGA1UEAwwEamFuZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABIjr',
  'w01FNXmQL0uLb4h+oL6Yus9c/KKrGSuHeCl73ef32HYazCeXXJu3TkW91J5zMy767nROtgtFeWKx25+Xg3CjUzBRMB0GA1Ud',
  'DgQWBBQh/9L10fRu3TjxGo/ffaOtLoLSFjAfBgNVHSMEGDAWgBQh/9L10fRu3TjxGo/ffaOtLoLSFjAPBgNVHRMBAf8EBTAD',
  'AQH/MAoGCCqGSM49BAMCA0kAMEYCIQCTMlQp+rrObXqOkDWU7zq1TJlK4AtaBWXvIv8J1R0ZdgIhAOd9MJEC2jiss51DeSXW',
  'TqhTsHPa3iRuSSCZ+3B9aiat',
].join('');

function pem(type: string, base64: string): string {
  const lines = base64.match(/.{1,64}/g) ?? [];
  return btoa([`-----BEGIN ${type}-----`, ...lines, `-----END ${type}-----`, ''].join('\n'));
}

const certificate = pem('CERTIFICATE', CERTIFICATE_DER);
const approved = { type: 'Approved', status: 'True', reason: 'r', message: 'm' };
const request: CertificateSigningRequest = {
  metadata: { name: 'x', uid: 'u', resourceVersion: '1' },
  spec: {
    request: pem('CERTIFICATE REQUEST', REQUEST_DER),
    signerName: 'example.com/signer',
    usages: ['client auth', 'digital signature'],
    expirationSeconds: 3600,
  },
};

function spec(fields: object): (object: CertificateSigningRequest) => void {
  return (object) => Object.assign(object.spec, fields);
}

function status(fields: object): (object: CertificateSigningRequest) => void {
  return (object) => (object.status = { ...object.status, ...fields });
}

test('certificate signing requests', () => {
  const tampered = `${REQUEST_DER.slice(0, -8)}AAAAAAA=`;
  const shown = (base64: string, type = 'CERTIFICATE REQUEST'): string => JSON.stringify(pem(type, base64));
  checkRule(validateCertificateSigningRequest, request, [
    [spec({ request: btoa('x') }), ['spec.request: Invalid value: "eA==": PEM block type must be CERTIFICATE REQUEST']],
    [
      spec({ request: pem('CERTIFICATE', REQUEST_DER) }),
      [`spec.request: Invalid value: ${shown(REQUEST_DER, 'CERTIFICATE')}: PEM block type must be CERTIFICATE REQUEST`],
    ],
    [
      spec({ request: pem('CERTIFICATE REQUEST', 'AAAA') }),
      [`spec.request: Invalid value: ${shown('AAAA')}: x509: malformed certificate request`],
    ],
    [
      spec({ request: pem('CERTIFICATE REQUEST', tampered) }),
      [`spec.request: Invalid value: ${shown(tampered)}: x509: ECDSA verification failure`],
    ],
    [spec({ usages: [] }), ['spec.usages: Required value']],
    [spec({ usages: ['any', 'any'] }), ['spec.usages[1]: Duplicate value: "any"']],
    [
      spec({ signerName: 'kubernetes.io/legacy-unknown', expirationSeconds: 5 }),
      [
        'spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version',
        'spec.expirationSeconds: Invalid value: 5: may not specify a duration less than 600 seconds (10 minutes)',
      ],
    ],
    [
      spec({ signerName: 'signer' }),
      [
        'spec.signerName: Invalid value: "signer": must be a fully qualified domain and path of the form \'example.com/signer-name\'',
      ],
    ],
    [
      spec({ signerName: 'com/signer' }),
      ['spec.signerName: Invalid value: "com": should be a domain with at least two segments separated by dots'],
    ],
  ]);
  const odd = texts(validateCertificateSigningRequest({ ...request, spec: { ...request.spec, usages: ['odd'] } }));
  assert.match(odd[0] ?? '', /^spec\.usages\[0\]: Unsupported value: "odd": supported values: "any", "cert sign", /);
});

test('which fields of a certificate signing request each subresource may change', () => {
  checkUpdate(validateCertificateSigningRequestUpdate, request, [
    [status({ certificate }), ['status.certificate: Forbidden: updates may not set certificate content']],
  ]);
  checkUpdate(validateCertificateSigningRequestApprovalUpdate, request, [
    [status({ conditions: [approved] }), []],
    [
      status({ conditions: [approved, { ...approved, type: 'Denied' }] }),
      ['status.conditions: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive'],
    ],
    [
      status({ conditions: [{ type: 'Approved', status: 'False' }, { type: '' }] }),
      [
        'status.conditions[0].status: Unsupported value: "False": supported values: "True"',
        'status.conditions[1].type: Required value',
        'status.conditions[1].status: Required value',
      ],
    ],
  ]);
  checkUpdate(validateCertificateSigningRequestStatusUpdate, { ...request, status: { conditions: [approved] } }, [
    [status({ certificate }), []],
    [
      status({ certificate: btoa('x') }),
      ['status.certificate: Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block'],
    ],
    [
      status({ certificate: pem('PRIVATE KEY', CERTIFICATE_DER) }),
      [
        'status.certificate: Invalid value: "<certificate data>": only CERTIFICATE PEM blocks are allowed, found "PRIVATE KEY"',
      ],
    ],
    [
      status({ conditions: [] }),
      ['status.conditions: Forbidden: updates may not remove a condition of type "Approved"'],
    ],
    [
      status({ conditions: [approved, { ...approved, type: 'Denied' }] }),
      [
        'status.conditions: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive',
        'status.conditions: Forbidden: updates may not add a condition of type "Denied"',
      ],
    ],
  ]);
  checkUpdate(validateCertificateSigningRequestStatusUpdate, { ...request, status: { certificate } }, [
    [
      status({ certificate: btoa(`${atob(certificate)}\n${atob(certificate)}`) }),
      ['status.certificate: Forbidden: updates may not modify existing certificate content'],
    ],
  ]);
});
