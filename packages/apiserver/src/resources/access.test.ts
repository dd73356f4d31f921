import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from '@binnacle/api/types/certificates-v1';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { StrategyContext } from '../registry/index.js';
import { certificateApprovalStrategy, certificateSigningRequestStrategy, certificateStatusStrategy } from './access.js';

const NOW = Date.parse('2026-01-02T00:00:00Z');
const THEN = '2026-01-01T00:00:00Z';
const context: StrategyContext = { namespace: '', now: NOW, userName: 'alice', warn: () => undefined };
const asked = { request: 'cGVt', signerName: 'example.com/signer' };

type Request = CertificateSigningRequest & KubernetesObject;
const request = (content: Partial<CertificateSigningRequest> = {}): Request =>
  ({
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'a' },
    spec: asked,
    ...content,
  }) as Request;
const condition = (type: string, message: string, times: object = {}): CertificateSigningRequestCondition => ({
  type,
  status: 'True',
  message,
  ...times,
});

describe('a certificate signing request', () => {
  it('names the user who makes it, whatever the object says', () => {
    const object = request({
      spec: { ...asked, username: 'root', uid: 'x', groups: ['system:masters'], extra: { a: ['b'] } },
      status: {},
    });
    certificateSigningRequestStrategy.prepareForCreate?.(object, context);
    assert.deepEqual(object.spec, { ...asked, username: 'alice' });
    assert.equal('status' in object, false);
  });

  it('has the groups, the uid and the extra values of the user', () => {
    const object = request();
    const requester = { uid: 'u', groups: ['g'], extra: { scopes: ['s'] } };
    certificateSigningRequestStrategy.prepareForCreate?.(object, { ...context, requester });
    assert.deepEqual(object.spec, { ...asked, username: 'alice', ...requester });
  });

  it('changes neither its spec nor its status in an update', () => {
    const old = request({ status: { certificate: 'Yw==' } });
    const object = request({ spec: { ...asked, username: 'root' }, status: {} });
    certificateSigningRequestStrategy.prepareForUpdate?.(object, old, context);
    assert.deepEqual([object.spec, object.status], [old.spec, old.status]);
  });
});

describe('the approval of a certificate signing request', () => {
  it('changes only conditions', () => {
    const old = request({ status: { certificate: 'Yw==' } });
    const object = request({ status: { certificate: 'WA==', conditions: [condition('Approved', 'yes')] } });
    certificateApprovalStrategy.prepareForUpdate?.(object, old, context);
    const now = { lastUpdateTime: '2026-01-02T00:00:00Z', lastTransitionTime: '2026-01-02T00:00:00Z' };
    assert.deepEqual(object.status, { certificate: 'Yw==', conditions: [condition('Approved', 'yes', now)] });
  });

  it('may remove all conditions', () => {
    const old = request({ status: { conditions: [condition('Approved', 'yes')] } });
    const object = request({ status: {} });
    certificateApprovalStrategy.prepareForUpdate?.(object, old, context);
    assert.deepEqual(object.status, {});
  });

  it('keeps the transition time of a condition that it writes again', () => {
    const old = request({ status: { conditions: [condition('Approved', 'yes', { lastTransitionTime: THEN })] } });
    const object = request({ status: { conditions: [condition('Approved', 'again')] } });
    certificateApprovalStrategy.prepareForUpdate?.(object, old, context);
    assert.equal(object.status?.conditions?.[0]?.lastTransitionTime, THEN);
  });
});

describe('the status of a certificate signing request', () => {
  it('keeps approvals and denials, and takes the certificate and other conditions', () => {
    const approved = condition('Approved', 'yes', { lastUpdateTime: THEN, lastTransitionTime: THEN });
    const old = request({ status: { conditions: [approved] } });
    const failed = condition('Failed', 'no', { lastUpdateTime: THEN, lastTransitionTime: THEN });
    const object = request({
      status: { certificate: 'Yw==', conditions: [failed, condition('Approved', 'forged')] },
    });
    certificateStatusStrategy.prepareForUpdate?.(object, old, context);
    assert.deepEqual(object.status, { certificate: 'Yw==', conditions: [failed, approved] });
  });
});
