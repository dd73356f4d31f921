import assert from 'node:assert/strict';
import type { CertificateSigningRequest } from '@binnacle/client/kinds/certificates/v1';
import { describe, it } from 'node:test';
import { certificateRequest } from '../testing/index.js';
import { approvalsFor } from './plan.js';

const KUBELET = 'kubernetes.io/kube-apiserver-client-kubelet';

function request(
  spec: Partial<CertificateSigningRequest['spec']>,
  status: CertificateSigningRequest['status'] = {},
): CertificateSigningRequest {
  const node = { commonName: 'system:node:n', organizations: ['system:nodes'] };
  const usages = ['digital signature', 'key encipherment', 'client auth'];
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'n' },
    spec: {
      signerName: KUBELET,
      usages,
      request: certificateRequest(node),
      username: 'joiner',
      groups: ['g'],
      ...spec,
    },
    status,
  };
}

const decided = (type: string) => request({}, { conditions: [{ type, status: 'True' }] });

describe('the rights that approve a request', () => {
  for (const [what, given, expected] of [
    ['of a node', request({}), ['nodeclient']],
    ['of a node that renews its own', request({ username: 'system:node:n' }), ['selfnodeclient', 'nodeclient']],
    ['for another signer', request({ signerName: 'kubernetes.io/kubelet-serving' }), []],
    ['of another subject', request({ request: certificateRequest({ commonName: 'jane' }) }), []],
    ['for other usages', request({ usages: ['client auth'] }), []],
    ['that is approved', decided('Approved'), []],
    ['that is denied', decided('Denied'), []],
    ['that is issued', request({}, { certificate: 'AAAA' }), []],
  ] as const) {
    it(`${what}: ${expected.join(', ') || 'none'}`, () => {
      const subresources = approvalsFor(given).map(({ review }) => review.resourceAttributes?.subresource);
      assert.deepEqual(subresources, expected);
    });
  }

  it('are those of the user who made it', () => {
    const [approval] = approvalsFor(request({ uid: 'u', extra: { a: ['b'] } }));
    const resourceAttributes = {
      group: 'certificates.k8s.io',
      version: '*',
      resource: 'certificatesigningrequests',
      subresource: 'nodeclient',
      verb: 'create',
    };
    assert.deepEqual(approval?.review, {
      user: 'joiner',
      uid: 'u',
      groups: ['g'],
      extra: { a: ['b'] },
      resourceAttributes,
    });
  });

  it('are none of a request that cannot be read', () => {
    assert.throws(() => approvalsFor(request({ request: 'AAAA' })), /^Error: unable to parse csr "n": PEM block type/);
  });
});
