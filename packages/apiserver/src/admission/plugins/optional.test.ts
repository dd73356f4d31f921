import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { anonymousUser } from '../../authentication/index.js';
import type { AdmissionAttributes } from '../plugin.js';
import {
  alwaysDeny,
  alwaysPullImages,
  certificateSubjectRestriction,
  denyServiceExternalIPs,
  extendedResourceToleration,
  namespaceAutoProvision,
  namespaceExists,
  nodeRestriction,
  podTopologyLabels,
} from './index.js';
import { admit, object, type Spec, validate } from './test-request.js';

const zone = 'topology.kubernetes.io/zone';
const nodes = {
  node: async (name: string) =>
    name === 'n' ? object('Node', {}, { name, uid: 'uid-n', labels: { [zone]: 'z', other: 'o' } }) : undefined,
  pod: async (_: string, name: string) =>
    name === 'gone' ? undefined : object('Pod', { nodeName: name }, { name, uid: `uid-${name}` }),
};

/** For `O=system:nodes, CN=system:node:n`. */
const CERTIFICATE_REQUEST_OF_N =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIcU1JR1JBZ0VBTUM4eEZUQVRCZ05WQkFvTURITjVjM1JsYlRw' +
  'dWIyUmxjekVXTUJRR0ExVUVBd3dOYzNsegpkR1Z0T201dlpHVTZiakJaTUJNR0J5cUdTTTQ5QWdFR0NDcUdTTTQ5QXdFSEEwSUFC' +
  'SW1qNElFSlEzWGdVNU5sCjQxTVFUb3NGVFJBVHd5bk5oanNMMi8zVm5SZno3QjNzandWOFg4VmhaRXhNVm9hdlBrZmlOZWR1QkI0' +
  'bDZYNE4KUC9kY0NveWdBREFLQmdncWhrak9QUVFEQWdOSUFEQkZBaUVBdGpsemR5Z0JWdmpON0VyT0FvNnIwNUp6OGZmdAppby9I' +
  'amxEa0hZK0tqZmdDSUREMDd4QUkwK1pqK1pUeUdndlQ1bGhQQlMvUFoxUlUvZTJVUzc5cVNRamQKLS0tLS1FTkQgQ0VSVElGSUNB' +
  'VEUgUkVRVUVTVC0tLS0tCg==';

describe('PodTopologyLabels', () => {
  const plugin = podTopologyLabels(nodes);
  const labels = async (
    spec: Spec,
    own: Record<string, string> | undefined,
    overrides: Partial<AdmissionAttributes> = {},
  ) => {
    const pod = object('Pod', spec, { name: 'a', ...(own === undefined ? {} : { labels: own }) });
    await admit(plugin, 'pods', pod, overrides);
    return pod.metadata.labels;
  };
  const binding = { operation: 'UPDATE', subresource: 'binding' } as const;

  it('tells a pod where its node is, when it gets one', async () => {
    assert.deepEqual(await labels({ nodeName: 'n' }, undefined), { [zone]: 'z' });
    assert.deepEqual(await labels({ nodeName: 'n' }, { a: 'b' }, binding), { a: 'b', [zone]: 'z' });
    assert.deepEqual(await labels({ nodeName: 'n' }, { [zone]: 'own' }, binding), { [zone]: 'own' });
    assert.equal(await labels({ nodeName: 'unknown' }, undefined), undefined);
    assert.equal(await labels({}, undefined), undefined);
    assert.equal(await labels({ nodeName: 'n' }, undefined, { operation: 'UPDATE' }), undefined);
  });
});

describe('NodeRestriction', () => {
  const plugin = nodeRestriction(nodes);
  const user = { ...anonymousUser, name: 'system:node:n', groups: ['system:nodes'] };
  const ask = (
    resource: string,
    given: ReturnType<typeof object> | undefined,
    more: Partial<AdmissionAttributes> = {},
  ) => admit(plugin, resource, given, { user, name: 'n', ...more });
  const refused = (promise: Promise<unknown>, message: RegExp) => assert.rejects(promise, { code: 403, message });
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'uid-n', controller: true };
  const mirror = (
    spec: Spec = {},
    owners = [owner],
    annotations: Record<string, string> = { 'kubernetes.io/config.mirror': 'x' },
  ) => object('Pod', { nodeName: 'n', ...spec }, { name: 'p', annotations, ownerReferences: owners });

  it('is about nodes alone', async () => {
    await ask('nodes', object('Node', {}, { name: 'x' }), { user: anonymousUser, name: 'x' });
    await ask('secrets', object('Secret'));
    await refused(ask('nodes', undefined, { user: { ...user, name: 'system:node:' } }), /could not determine node/);
  });

  it('lets a node write itself, without its taints and what decides over pods', async () => {
    const node = (labels: Record<string, string>, spec: Spec = {}) => object('Node', spec, { name: 'n', labels });
    await ask('nodes', node({ 'kubernetes.io/hostname': 'n', 'node.kubernetes.io/x': 'y', free: 'z' }));
    await refused(
      ask('nodes', object('Node', {}, { name: 'm' }), { name: 'm' }),
      /node "n" is not allowed to modify node "m"/,
    );
    await refused(
      ask('nodes', node({ 'node-restriction.kubernetes.io/a': '', 'k8s.io/b': '' })),
      /not allowed to set the following labels: k8s.io\/b, node-restriction.kubernetes.io\/a/,
    );
    const update = { operation: 'UPDATE', oldObject: node({ 'k8s.io/b': '' }) } as const;
    await ask('nodes', node({ 'k8s.io/b': '' }), update);
    await refused(ask('nodes', node({}), update), /is not allowed to modify labels: k8s.io\/b/);
    await refused(
      ask('nodes', node({ 'k8s.io/b': '' }, { taints: [{ key: 'a' }] }), update),
      /not allowed to modify taints/,
    );
  });

  it('lets a node make mirror pods of its own, which see nothing', async () => {
    await ask('pods', mirror());
    await refused(ask('pods', mirror({}, [owner], {})), /can only create mirror pods/);
    await refused(ask('pods', mirror({ nodeName: 'm' })), /spec.nodeName set to itself/);
    await refused(ask('pods', mirror({}, [])), /with an owner reference set to itself/);
    await refused(ask('pods', mirror({}, [{ ...owner, uid: 'x' }])), /node n UID mismatch: expected x got uid-n/);
    await refused(ask('pods', mirror({ serviceAccountName: 'a' })), /reference a service account/);
    await refused(
      ask('pods', mirror({ volumes: [{ name: 'v', projected: { sources: [{ secret: {} }] } }] })),
      /reference secrets/,
    );
    await refused(
      ask('pods', mirror({ containers: [{ name: 'c', envFrom: [{ configMapRef: {} }] }] })),
      /reference configmaps/,
    );
  });

  it('lets a node look after its own pods', async () => {
    const own = { oldObject: mirror(), name: 'p' };
    const foreign = { oldObject: mirror({ nodeName: 'm' }), name: 'p' };
    await ask('pods', undefined, { ...own, operation: 'DELETE' });
    await refused(ask('pods', undefined, { ...foreign, operation: 'DELETE' }), /can only delete pods/);
    await ask('pods', undefined, { ...own, operation: 'DELETE', subresource: 'eviction' });
    await refused(
      ask('pods', undefined, { ...foreign, operation: 'DELETE', subresource: 'eviction' }),
      /can only evict pods/,
    );
    await ask('pods', mirror(), { ...own, operation: 'UPDATE', subresource: 'status' });
    await refused(
      ask('pods', mirror(), { ...foreign, operation: 'UPDATE', subresource: 'status' }),
      /update pod status/,
    );
    await refused(ask('pods', mirror(), { ...own, operation: 'UPDATE' }), /can only create and delete mirror pods/);
  });

  it('lets a node have tokens of its own pods', async () => {
    const resource = { group: '', version: 'v1', resource: 'serviceaccounts' };
    const token = (boundObjectRef?: Spec) =>
      ask('', object('TokenRequest', boundObjectRef === undefined ? {} : { boundObjectRef }), {
        resource,
        subresource: 'token',
      });
    const bound = (name: string, uid = `uid-${name}`) => token({ apiVersion: 'v1', kind: 'Pod', name, uid });
    await bound('n');
    await refused(bound('m'), /bound to a pod scheduled on a different node/);
    await refused(bound('n', 'other'), /the UID in the bound object reference \(other\) does not match/);
    await refused(bound('n', ''), /a pod binding without a uid/);
    await refused(token(), /not bound to a pod/);
    await refused(token({ apiVersion: 'v1', kind: 'Secret', name: 's', uid: 'u' }), /not bound to a pod/);
    await assert.rejects(bound('gone'), { code: 404 });
    await ask('', object('ServiceAccount'), { resource });
  });

  it('lets a node have slices of devices and certificates of its own', async () => {
    const resource = { group: 'resource.k8s.io', version: 'v1', resource: 'resourceslices' };
    const slice = (nodeName: string) => object('ResourceSlice', { nodeName }, { name: 's' });
    await ask('', slice('n'), { resource });
    await refused(ask('', slice('m'), { resource }), /can only create ResourceSlice with the same NodeName/);
    await ask('', undefined, { resource, operation: 'DELETE', oldObject: slice('n') });
    await refused(
      ask('', undefined, { resource, operation: 'DELETE', oldObject: slice('m') }),
      /can only delete ResourceSlice with the same NodeName/,
    );
    const requests = { group: 'certificates.k8s.io', version: 'v1', resource: 'certificatesigningrequests' };
    const request = (signerName: string, text: string) =>
      ask('', object('CertificateSigningRequest', { signerName, request: text }), { resource: requests });
    await request('kubernetes.io/kubelet-serving', CERTIFICATE_REQUEST_OF_N);
    await request('example.com/other', '');
    await refused(request('kubernetes.io/kubelet-serving', ''), /with CN=system:node:n$/);
    await refused(
      ask(
        '',
        object('CertificateSigningRequest', {
          signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
          request: CERTIFICATE_REQUEST_OF_N,
        }),
        { resource: requests, user: { ...user, name: 'system:node:m' } },
      ),
      /with CN=system:node:m$/,
    );
  });

  it('lets a node hold its own lease and CSINode, and report on claims', async () => {
    const lease = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
    await ask('', object('Lease', {}, { name: 'n' }), { resource: lease, namespace: 'kube-node-lease' });
    await refused(
      ask('', object('Lease', {}, { name: 'm' }), { resource: lease, namespace: 'kube-node-lease' }),
      /same name/,
    );
    await refused(
      ask('', object('Lease', {}, { name: 'n' }), { resource: lease }),
      /"kube-node-lease" system namespace/,
    );
    const csiNode = { group: 'storage.k8s.io', version: 'v1', resource: 'csinodes' };
    await refused(ask('', object('CSINode', {}, { name: 'm' }), { resource: csiNode }), /only access CSINode/);
    const claim = (status: Spec) => ({ ...object('PersistentVolumeClaim'), status });
    const update = { operation: 'UPDATE', subresource: 'status', oldObject: claim({}) } as const;
    await ask('persistentvolumeclaims', claim({ capacity: { storage: '1Gi' } }), update);
    await refused(
      ask('persistentvolumeclaims', claim({ phase: 'Bound' }), update),
      /fields other than status.capacity/,
    );
    await refused(ask('persistentvolumeclaims', claim({})), /may only update PVC status/);
  });
});

describe('small plugins that can be turned on', () => {
  it('AlwaysDeny', () =>
    assert.rejects(admit(alwaysDeny, 'pods', object('Pod')), {
      message: 'pods "a" is forbidden: admission control is denying all modifications',
    }));

  it('AlwaysPullImages', async () => {
    const given = { containers: [{ name: 'c', imagePullPolicy: 'Never' }], volumes: [{ name: 'v', image: {} }] };
    assert.deepEqual(await admit(alwaysPullImages, 'pods', object('Pod', given)), {
      containers: [{ name: 'c', imagePullPolicy: 'Always' }],
      volumes: [{ name: 'v', image: { pullPolicy: 'Always' } }],
    });
    const update = { operation: 'UPDATE', subresource: 'ephemeralcontainers' } as const;
    const spec = { containers: [{ name: 'c', imagePullPolicy: 'Never' }], ephemeralContainers: [{ name: 'e' }] };
    assert.deepEqual(await admit(alwaysPullImages, 'pods', object('Pod', spec), update), {
      containers: [{ name: 'c', imagePullPolicy: 'Never' }],
      ephemeralContainers: [{ name: 'e', imagePullPolicy: 'Always' }],
    });
  });

  it('DenyServiceExternalIPs', async () => {
    const service = (...externalIPs: string[]) => object('Service', { externalIPs });
    await validate(denyServiceExternalIPs, 'services', service());
    await assert.rejects(validate(denyServiceExternalIPs, 'services', service('192.0.2.1')), {
      message: 'services "a" is forbidden: Use of external IPs is denied by admission control',
    });
    const update = { operation: 'UPDATE', oldObject: service('192.0.2.1') } as const;
    await validate(denyServiceExternalIPs, 'services', service('192.0.2.1'), update);
  });

  it('NamespaceExists and NamespaceAutoProvision', async () => {
    const made: string[] = [];
    const source = {
      namespace: async (name: string) => (name === 'there' ? object('Namespace') : undefined),
      createNamespace: async (name: string) => void made.push(name),
    };
    const provision = (namespace: string, more: Partial<AdmissionAttributes> = {}) =>
      admit(namespaceAutoProvision(source), 'configmaps', object('ConfigMap'), { namespace, ...more });
    await provision('there');
    await provision('');
    await provision('absent', { dryRun: true });
    await provision('absent');
    assert.deepEqual(made, ['absent']);
    const exists = namespaceExists(source);
    await validate(exists, 'configmaps', object('ConfigMap'), { namespace: 'there' });
    await assert.rejects(validate(exists, 'configmaps', object('ConfigMap'), { namespace: 'absent' }), { code: 404 });
  });

  it('ExtendedResourceToleration', async () => {
    const requests = { cpu: '1', 'example.com/gpu': '1', 'example.com/fpga': '1' };
    const tolerations = [{ key: 'example.com/gpu', operator: 'Exists' }];
    const given = object('Pod', { containers: [{ name: 'c', resources: { requests } }], tolerations });
    const spec = await admit(extendedResourceToleration, 'pods', given);
    assert.deepEqual(spec['tolerations'], [...tolerations, { key: 'example.com/fpga', operator: 'Exists' }]);
  });
});

describe('CertificateSubjectRestriction', () => {
  /** CN=jane, O=system:masters, O=other. */
  const pem = `-----BEGIN CERTIFICATE REQUEST-----
MIH0MIGaAgEAMDgxFzAVBgNVBAoMDnN5c3RlbTptYXN0ZXJzMQ4wDAYDVQQKDAVv
dGhlcjENMAsGA1UEAwwEamFuZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABESI
7YOPHfKpNtLlwj8FoA2eqUwFyJyzIwEkvDDXnbUoocFoyLvsYPTZ+lDofTBW89In
fXRPmwXtJgTS7h7Y3ZCgADAKBggqhkjOPQQDAgNJADBGAiEArEJwju4Od0jprH+F
elfqke/TtC1ley/BBLHW8Mpm2T0CIQCFyWKu3xGlYXS5zUs0SRC578iSTaYvNNFo
ggjgs0PYYg==
-----END CERTIFICATE REQUEST-----
`;
  const request = Buffer.from(pem).toString('base64');
  const ask = (spec: Spec) =>
    validate(certificateSubjectRestriction, '', object('CertificateSigningRequest', spec), {
      resource: { group: 'certificates.k8s.io', version: 'v1', resource: 'certificatesigningrequests' },
    });

  it('gives no client certificate for the group that may do anything', async () => {
    const signerName = 'kubernetes.io/kube-apiserver-client';
    await assert.rejects(ask({ signerName, request }), {
      code: 403,
      message: /use of kubernetes.io\/kube-apiserver-client signer with system:masters group is not allowed$/,
    });
    await ask({ signerName: 'example.com/own', request });
    for (const broken of ['', 'AAAA', Buffer.from(pem.replace('MIH0', 'MIH/')).toString('base64')]) {
      await ask({ signerName, request: broken });
    }
  });
});
