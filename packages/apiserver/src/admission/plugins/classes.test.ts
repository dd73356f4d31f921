import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RuntimeClass } from '@binnacle/api/types/node-v1';
import { anonymousUser } from '../../authentication/index.js';
import {
  certificateApproval,
  certificateSigning,
  clusterTrustBundleAttest,
  defaultIngressClass,
  defaultStorageClass,
  persistentVolumeClaimResize,
  runtimeClass,
} from './index.js';
import { admit, object, type Spec, validate } from './request.testing.js';

describe('default classes', () => {
  const marked = (annotation: string, name: string, creationTimestamp: string) =>
    object('Class', {}, { name, creationTimestamp, annotations: { [annotation]: 'true' } });
  const storage = 'storageclass.kubernetes.io/is-default-class';
  const ingress = 'ingressclass.kubernetes.io/is-default-class';
  const source = {
    storageClasses: async () => [
      marked(storage, 'old', '2026-01-01T00:00:00Z'),
      marked(storage, 'new-b', '2026-01-02T00:00:00Z'),
      marked(storage, 'new-a', '2026-01-02T00:00:00Z'),
      object('Class', {}, { name: 'plain', creationTimestamp: '2026-01-03T00:00:00Z' }),
    ],
    ingressClasses: async () => [marked(ingress, 'front', '2026-01-01T00:00:00Z')],
  };
  const none = { storageClasses: async () => [], ingressClasses: async () => [] };
  const ingresses = { resource: { group: 'networking.k8s.io', version: 'v1', resource: 'ingresses' } };

  it('of claims is the newest default StorageClass', async () => {
    const claims = (spec: Spec, from = source) =>
      admit(defaultStorageClass(from), 'persistentvolumeclaims', object('PersistentVolumeClaim', spec));
    assert.deepEqual(await claims({}), { storageClassName: 'new-a' });
    assert.deepEqual(await claims({ storageClassName: '' }), { storageClassName: '' });
    assert.deepEqual(await claims({}, none), {});
  });

  it('of ingresses applies only to those without a class field or annotation', async () => {
    const plugin = defaultIngressClass(source);
    assert.deepEqual(await admit(plugin, '', object('Ingress'), ingresses), { ingressClassName: 'front' });
    const old = object('Ingress', {}, { name: 'a', annotations: { 'kubernetes.io/ingress.class': 'x' } });
    assert.deepEqual(await admit(plugin, '', old, ingresses), {});
    assert.deepEqual(await admit(defaultIngressClass(none), '', object('Ingress'), ingresses), {});
  });
});

describe('PersistentVolumeClaimResize', () => {
  const claim = (storage: string, storageClassName = 'grows', phase = 'Bound') => ({
    ...object('PersistentVolumeClaim', { storageClassName, resources: { requests: { storage } } }),
    status: { phase },
  });
  const plugin = persistentVolumeClaimResize({
    storageClass: async (name) => ({ metadata: { name }, provisioner: 'p', allowVolumeExpansion: name === 'grows' }),
  });
  const resize = (to: ReturnType<typeof claim>, from: ReturnType<typeof claim>) =>
    validate(plugin, 'persistentvolumeclaims', to, { operation: 'UPDATE', oldObject: from });

  it('allows growth of a bound claim if its class allows it', async () => {
    await resize(claim('2Gi'), claim('1Gi'));
    await resize(claim('1Gi', 'fixed'), claim('1024Mi', 'fixed'));
    await assert.rejects(resize(claim('2Gi', 'fixed'), claim('1Gi', 'fixed')), {
      code: 403,
      message: /must support resize$/,
    });
    await assert.rejects(resize(claim('2Gi'), claim('1Gi', 'grows', 'Pending')), {
      message: 'persistentvolumeclaims "a" is forbidden: Only bound persistent volume claims can be expanded',
    });
  });
});

describe('RuntimeClass', () => {
  const found: RuntimeClass = {
    metadata: { name: 'sandbox' },
    handler: 'h',
    overhead: { podFixed: { cpu: '100m' } },
    scheduling: { nodeSelector: { disk: 'ssd' }, tolerations: [{ key: 'sandbox', operator: 'Exists' }] },
  };
  const plugin = runtimeClass({ runtimeClass: async (name) => (name === 'sandbox' ? found : undefined) });
  const pod = (spec: Spec) => object('Pod', spec);

  it('sets the overhead and the node selector', async () => {
    const tolerations = [
      { key: 'sandbox', operator: 'Equal', value: 'x' },
      { key: 'other', operator: 'Exists' },
    ];
    const given = pod({ runtimeClassName: 'sandbox', nodeSelector: { zone: 'z' }, tolerations });
    assert.deepEqual(await admit(plugin, 'pods', given), {
      runtimeClassName: 'sandbox',
      overhead: { cpu: '100m' },
      nodeSelector: { zone: 'z', disk: 'ssd' },
      tolerations: [
        { key: 'other', operator: 'Exists' },
        { key: 'sandbox', operator: 'Exists' },
      ],
    });
    await validate(plugin, 'pods', given);
  });

  it('refuses a pod that conflicts with its class', async () => {
    await assert.rejects(admit(plugin, 'pods', pod({ runtimeClassName: 'none' })), {
      message: 'pods "a" is forbidden: pod rejected: RuntimeClass "none" not found',
    });
    await assert.rejects(admit(plugin, 'pods', pod({ runtimeClassName: 'sandbox', nodeSelector: { disk: 'hdd' } })), {
      message: /conflict: runtimeClass.scheduling.nodeSelector\[disk\] = ssd; pod.spec.nodeSelector\[disk\] = hdd$/,
    });
    await assert.rejects(admit(plugin, 'pods', pod({ runtimeClassName: 'sandbox', overhead: { cpu: '1' } })), {
      message: /Pod's Overhead doesn't match RuntimeClass's defined Overhead$/,
    });
    await assert.rejects(validate(plugin, 'pods', pod({ overhead: { cpu: '1' } })), {
      message: /Pod Overhead set without corresponding RuntimeClass defined Overhead$/,
    });
  });
});

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
