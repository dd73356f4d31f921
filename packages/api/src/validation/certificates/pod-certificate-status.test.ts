import { describe, it } from 'node:test';
import type { PodCertificateRequest } from '../../generated/types/certificates-v1beta1.js';
import { validatePodCertificateRequestStatusUpdate } from '../index.js';
import { checkUpdate } from '../rules.testing.js';
import { BEGIN, CERTIFICATE, END, ODD_NAMES, STUB_DER } from './pod-certificate.testing.js';

const condition = (type: string, status = 'True') => ({
  type,
  status,
  lastTransitionTime: BEGIN,
  reason: 'R',
  message: '',
});
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
const done = {
  conditions: [condition('Issued')],
  certificateChain: CERTIFICATE,
  notBefore: BEGIN,
  notAfter: END,
  beginRefreshAt: '2026-12-01T03:00:00Z',
};

function status(fields: object): (object: PodCertificateRequest) => void {
  return (object) => Object.assign(object, { status: { ...object.status, ...fields } });
}

const chain = (text: string, why: string): string =>
  `status.certificateChain: Invalid value: ${JSON.stringify(text)}: ${why}`;

describe('the status of a request for the certificate of a pod', () => {
  it('changes only when the request ends', () => {
    checkUpdate(validatePodCertificateRequestStatusUpdate, request, [
      [
        status({ certificateChain: CERTIFICATE }),
        ['status: Invalid value: status is immutable unless transitioning to "Issued", "Denied", or "Failed"'],
      ],
      [status({ conditions: [condition('Denied')] }), []],
      [
        status({ conditions: [condition('Failed')], certificateChain: CERTIFICATE }),
        [
          'status: Invalid value: non-condition status fields must be empty when denying or failing the PodCertificateRequest',
        ],
      ],
      [
        status({ conditions: [condition('Approved')] }),
        ['status.conditions[0].type: Unsupported value: "Approved": supported values: "Denied", "Failed", "Issued"'],
      ],
      [
        status({ conditions: [condition('Issued', 'False')] }),
        ['status.conditions[0].status: Unsupported value: "False": supported values: "True"'],
      ],
      [
        status({ conditions: [condition('Issued'), condition('Denied')] }),
        [
          'status.conditions[1].type: Invalid value: "Denied": There may be at most one condition with type "Issued", "Denied", or "Failed"',
        ],
      ],
    ]);
    const denied = { ...request, status: { conditions: [condition('Denied')] } };
    checkUpdate(validatePodCertificateRequestStatusUpdate, denied, [
      [status({ conditions: [{ ...condition('Denied'), message: undefined }] }), []],
      [status(done), ['status: Invalid value: immutable after PodCertificateRequest is issued, denied, or failed']],
    ]);
  });

  it('has a certificate for the requested key', () => {
    const other = request.spec.stubPKCS10Request.replace('FxBqSjd', 'FxBqSjc');
    checkUpdate(validatePodCertificateRequestStatusUpdate, request, [
      [status(done), []],
      [
        status({ ...done, certificateChain: '' }),
        [chain('', 'issued certificate chain must contain at least one certificate')],
      ],
      [
        (object) => {
          status(done)(object);
          object.spec.stubPKCS10Request = other;
        },
        [chain(CERTIFICATE, 'leaf certificate was not issued to the requested public key')],
      ],
      [
        status({ ...done, certificateChain: ODD_NAMES }),
        [
          chain('a..b', "leaf certificate's DNSName should not contain '..'"),
          chain('.c', "leaf certificate's DNSName should not start or end with '.'"),
          chain('x', 'leaf certificate should not contain invalid EmailAddress'),
        ],
      ],
    ]);
  });

  it('has the times of the certificate', () => {
    checkUpdate(validatePodCertificateRequestStatusUpdate, request, [
      [
        status({ ...done, notBefore: undefined }),
        ['status.notBefore: Required value: must be present and consistent with the issued certificate'],
      ],
      [
        status({ ...done, notAfter: BEGIN }),
        [
          `status.notAfter: Invalid value: "${BEGIN}": must be set to the NotAfter time encoded in the leaf certificate`,
        ],
      ],
      [
        status({ ...done, beginRefreshAt: END }),
        [`status.beginRefreshAt: Invalid value: "${END}": must be at least 10 minutes before status.notAfter`],
      ],
      [
        (object) => {
          status(done)(object);
          object.spec.maxExpirationSeconds = 3600;
        },
        [
          'status.certificateChain: Invalid value: 86400000000000: leaf certificate lifetime must be <= spec.maxExpirationSeconds (3600)',
        ],
      ],
    ]);
  });
});
