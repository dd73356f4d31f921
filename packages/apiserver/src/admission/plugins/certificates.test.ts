import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { anonymousUser } from '../../authentication/index.js';
import { certificateApproval, certificateSigning, clusterTrustBundleAttest } from './index.js';
import { object, type Spec, validate } from './request.testing.js';

describe('certificates', () => {
  const asked: string[] = [];
  const authorizer = {
    maySign: async (_: unknown, verb: string, name: string) => {
      asked.push(`${verb} ${name}`);
      return name === 'example.com/*' || name === 'other.com/one';
    },
  };
  const csr = (signerName: string, status: Spec = {}) => ({
    ...object('CertificateSigningRequest', { signerName }),
    status,
  });
  const attributes = (subresource: string, oldObject: ReturnType<typeof csr>) => ({
    resource: { group: 'certificates.k8s.io', version: 'v1', resource: 'certificatesigningrequests' },
    operation: 'UPDATE' as const,
    user: anonymousUser,
    subresource,
    oldObject,
  });

  it('are approved and signed by users with that right for the signer', async () => {
    const approve = (signer: string) =>
      validate(certificateApproval(authorizer), '', csr('ignored/x'), attributes('approval', csr(signer)));
    await approve('example.com/any');
    assert.deepEqual(asked, ['approve example.com/any', 'approve example.com/*']);
    await approve('other.com/one');
    await assert.rejects(approve('other.com/two'), {
      message:
        'certificatesigningrequests.certificates.k8s.io "a" is forbidden: user not permitted to approve requests with signerName "other.com/two"',
    });
    const sign = (status: Spec) =>
      validate(
        certificateSigning(authorizer),
        '',
        csr('other.com/two', status),
        attributes('status', csr('other.com/two')),
      );
    await sign({});
    await assert.rejects(sign({ certificate: 'AA==' }), { message: /not permitted to sign requests/ });
  });

  it('bundles of a signer are written by users who may attest for it', async () => {
    const plugin = clusterTrustBundleAttest(authorizer);
    const bundle = (signerName: string, metadata = {}) => object('ClusterTrustBundle', { signerName }, metadata);
    const write = (given: ReturnType<typeof bundle>, oldObject?: ReturnType<typeof bundle>) =>
      validate(plugin, '', given, {
        resource: { group: 'certificates.k8s.io', version: 'v1beta1', resource: 'clustertrustbundles' },
        operation: oldObject === undefined ? 'CREATE' : 'UPDATE',
        user: anonymousUser,
        ...(oldObject === undefined ? {} : { oldObject }),
      });
    asked.length = 0;
    await write(bundle('example.com/any'));
    assert.deepEqual(asked, ['attest example.com/any', 'attest example.com/*']);
    await write(bundle(''));
    const message =
      'clustertrustbundles.certificates.k8s.io "a" is forbidden: user not permitted to attest for signerName "other.com/two"';
    const foreign = bundle('other.com/two');
    await assert.rejects(write(foreign), { code: 403, message });
    await assert.rejects(write(bundle('other.com/two', { labels: { a: 'b' } }), foreign), { code: 403, message });
    await write(bundle('other.com/two', { finalizers: ['a.com/b'] }), foreign);
  });
});
