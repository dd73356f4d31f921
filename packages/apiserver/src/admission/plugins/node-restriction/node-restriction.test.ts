import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { anonymousUser } from '../../../authentication/index.js';
import type { AdmissionAttributes } from '../../plugin.js';
import { admit, object, type Spec } from '../request.testing.js';
import { nodeRestriction } from './node-restriction.js';

/** A request for `O=system:nodes, CN=system:node:n`. */
const CERTIFICATE_REQUEST_OF_N =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIcU1JR1JBZ0VBTUM4eEZUQVRCZ05WQkFvTURITjVjM1JsYlRw' +
  'dWIyUmxjekVXTUJRR0ExVUVBd3dOYzNsegpkR1Z0T201dlpHVTZiakJaTUJNR0J5cUdTTTQ5QWdFR0NDcUdTTTQ5QXdFSEEwSUFC' +
  'SW1qNElFSlEzWGdVNU5sCjQxTVFUb3NGVFJBVHd5bk5oanNMMi8zVm5SZno3QjNzandWOFg4VmhaRXhNVm9hdlBrZmlOZWR1QkI0' +
  'bDZYNE4KUC9kY0NveWdBREFLQmdncWhrak9QUVFEQWdOSUFEQkZBaUVBdGpsemR5Z0JWdmpON0VyT0FvNnIwNUp6OGZmdAppby9I' +
  'amxEa0hZK0tqZmdDSUREMDd4QUkwK1pqK1pUeUdndlQ1bGhQQlMvUFoxUlUvZTJVUzc5cVNRamQKLS0tLS1FTkQgQ0VSVElGSUNB' +
  'VEUgUkVRVUVTVC0tLS0tCg==';

/** Each pod has the name of its node, except `broken`. The volumes have all types for which tokens are requested. */
const stored = {
  node: async (name: string) => (name === 'n' ? object('Node', {}, { name, uid: 'uid-n' }) : undefined),
  pod: async (_: string, name: string) => {
    const spec = name === 'broken' ? { nodeName: 'n', volumes: broken } : { nodeName: name, volumes };
    return name === 'gone' ? undefined : object('Pod', spec, { name, uid: `uid-${name}` });
  },
  persistentVolumeClaim: async (_: string, name: string) =>
    ['claim', 'n-scratch'].includes(name) ? { spec: { volumeName: name } } : undefined,
  persistentVolume: async (name: string) => ({
    spec: name === 'claim' ? { csi: { driver: 'of-claim', volumeHandle: 'h' } } : { cinder: { volumeID: 'v' } },
  }),
  csiDriver: async (name: string) =>
    name === 'absent' ? undefined : { spec: { tokenRequests: [{ audience: `for ${name}` }] } },
};
const volumes = [
  { name: 'projected', projected: { sources: [{ serviceAccountToken: { path: 'p', audience: 'projected' } }] } },
  { name: 'api', projected: { sources: [{ serviceAccountToken: { path: 'p' } }] } },
  { name: 'inline', csi: { driver: 'inline' } },
  { name: 'old', azureDisk: { diskName: 'd', diskURI: 'u' } },
  { name: 'scratch', ephemeral: { volumeClaimTemplate: { spec: {} } } },
  { name: 'plain', emptyDir: {} },
  { name: 'claimed', persistentVolumeClaim: { claimName: 'claim' } },
];
const broken = [
  { name: 'broken', csi: { driver: 'absent' } },
  { name: 'lost', persistentVolumeClaim: { claimName: 'x' } },
];

describe('NodeRestriction', () => {
  const plugin = nodeRestriction(stored, {
    mayRequestAudience: async ({ name }, audience, account) =>
      `${name} ${audience} ${account.namespace}/${account.name}` === 'system:node:n granted default/a',
  });
  const user = { ...anonymousUser, name: 'system:node:n', groups: ['system:nodes'] };
  const ask = (
    resource: string,
    given: ReturnType<typeof object> | undefined,
    more: Partial<AdmissionAttributes> = {},
  ) => admit(plugin, resource, given, { user, name: given?.metadata.name ?? 'n', ...more });
  const refused = (promise: Promise<unknown>, message: RegExp) => assert.rejects(promise, { code: 403, message });
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'uid-n', controller: true };
  const mirror = (
    spec: Spec = {},
    owners = [owner],
    annotations: Record<string, string> = { 'kubernetes.io/config.mirror': 'x' },
  ) => object('Pod', { nodeName: 'n', ...spec }, { name: 'p', annotations, ownerReferences: owners });

  it('ignores users that are not nodes', async () => {
    await ask('nodes', object('Node', {}, { name: 'x' }), { user: anonymousUser, name: 'x' });
    await ask('secrets', object('Secret'));
    await refused(ask('nodes', undefined, { user: { ...user, name: 'system:node:' } }), /could not determine node/);
  });

  it('allows a node to write its own Node, except taints and restricted labels', async () => {
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
    const withOwners = {
      ...node({ 'k8s.io/b': '' }),
      metadata: { name: 'n', labels: { 'k8s.io/b': '' }, ownerReferences: [owner] },
    };
    await refused(ask('nodes', withOwners, update), /not allowed to modify ownerReferences/);
    const configSource = { configMap: { name: 'c' } };
    await refused(ask('nodes', node({}, { configSource })), /not allowed to create pods with a non-nil configSource/);
    await refused(
      ask('nodes', node({ 'k8s.io/b': '' }, { configSource }), update),
      /not allowed to update configSource to a new non-nil configSource/,
    );
  });

  it('allows a node to create its own mirror pods, without access to API objects', async () => {
    await ask('pods', mirror());
    await refused(ask('pods', mirror({}, [owner], {})), /can only create mirror pods/);
    await refused(ask('pods', mirror({ nodeName: 'm' })), /spec.nodeName set to itself/);
    await refused(ask('pods', mirror({}, [])), /with an owner reference set to itself/);
    await refused(ask('pods', mirror({}, [{ ...owner, uid: 'x' }])), /node n UID mismatch: expected x got uid-n/);
    await refused(ask('pods', mirror({ serviceAccountName: 'a' })), /reference serviceaccounts/);
    await refused(
      ask('pods', mirror({ volumes: [{ name: 'v', projected: { sources: [{ secret: {} }] } }] })),
      /reference secrets/,
    );
    await refused(
      ask('pods', mirror({ containers: [{ name: 'c', envFrom: [{ configMapRef: {} }] }] })),
      /reference configmaps/,
    );
    const withVolume = (source: Spec) => ask('pods', mirror({ volumes: [{ name: 'v', ...source }] }));
    await withVolume({ hostPath: { path: '/' }, projected: { sources: [{ downwardAPI: {} }] } });
    await refused(withVolume({ csi: { driver: 'd' } }), /reference csidrivers \(via CSI volumes\)/);
    await refused(withVolume({ ephemeral: {} }), /reference persistentvolumeclaims \(via ephemeral volumes\)/);
    await refused(
      withVolume({ projected: { sources: [{ serviceAccountToken: { path: 'p' } }] } }),
      /reference serviceaccounts \(via projected volumes\)/,
    );
    await refused(ask('pods', mirror({ resourceClaims: [{ name: 'c' }] })), /reference resourceclaims/);
    await assert.rejects(
      ask('pods', mirror({ nodeName: 'm' }, [{ ...owner, name: 'm' }]), { user: { ...user, name: 'system:node:m' } }),
      { code: 404, message: 'node "m" not found' },
    );
  });

  it('allows a node to update the status of its own pods and to delete them', async () => {
    const own = { oldObject: mirror(), name: 'p' };
    const foreign = { oldObject: mirror({ nodeName: 'm' }), name: 'p' };
    await ask('pods', undefined, { ...own, operation: 'DELETE' });
    await refused(ask('pods', undefined, { ...foreign, operation: 'DELETE' }), /can only delete pods/);
    const evict = (name: string) => ask('pods', object('Eviction', {}, { name }), { subresource: 'eviction', name });
    await evict('n');
    await refused(evict('m'), /node n can only evict pods with spec.nodeName set to itself/);
    await assert.rejects(evict('gone'), { code: 404, message: 'pod "gone" not found' });
    await ask('pods', mirror(), { ...own, operation: 'UPDATE', subresource: 'status' });
    await refused(
      ask('pods', mirror(), { ...foreign, operation: 'UPDATE', subresource: 'status' }),
      /update pod status/,
    );
    const claiming = (status: Spec) =>
      ask('pods', { ...mirror(), status }, { ...own, operation: 'UPDATE', subresource: 'status' });
    await claiming({ phase: 'Running', resourceClaimStatuses: [] });
    await refused(
      claiming({ resourceClaimStatuses: [{ name: 'c', resourceClaimName: 'd' }] }),
      /cannot update resource claim statues/,
    );
    await refused(
      claiming({ extendedResourceClaimStatus: { resourceClaimName: 'd', requestMappings: [] } }),
      /cannot update extended resource claim status/,
    );
    await refused(ask('pods', mirror(), { ...own, operation: 'UPDATE' }), /can only create and delete mirror pods/);
  });

  it('allows a node to request tokens of its own pods', async () => {
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
    await assert.rejects(bound('gone'), { code: 404, message: 'pod "gone" not found' });
    await ask('', object('ServiceAccount'), { resource });
  });

  it('allows a node audiences that its pods use or a role allows', async () => {
    const tokenOf = (pod: string, ...audiences: string[]) => {
      const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: pod, uid: `uid-${pod}` };
      return ask('', object('TokenRequest', { boundObjectRef, audiences }), {
        resource: { group: '', version: 'v1', resource: 'serviceaccounts' },
        subresource: 'token',
        name: 'a',
      });
    };
    const token = (...audiences: string[]) => tokenOf('n', ...audiences);
    await token();
    for (const audience of ['', 'projected', 'for inline', 'for disk.csi.azure.com', 'for of-claim', 'granted']) {
      await token(audience);
    }
    await token('for cinder.csi.openstack.org');
    await refused(token('projected', 'for inline'), /node may only request 0 or 1 audiences/);
    await refused(
      token('other'),
      /audience "other" not found in pod spec volume, system:node:n is not authorized to request tokens for this audience$/,
    );
    await refused(
      tokenOf('broken', 'granted'),
      /error validating audience "granted": \[csidriver.storage.k8s.io "absent" not found, persistentvolumeclaim "x" not found\]$/,
    );
  });

  it('allows a node no requests for the certificates of pods', async () => {
    const resource = { group: 'certificates.k8s.io', version: 'v1beta1', resource: 'podcertificaterequests' };
    await refused(
      ask('', object('PodCertificateRequest', { nodeName: 'n' }), { resource }),
      /PodCertificateRequest feature gate is disabled$/,
    );
  });

  it('allows a node its own device slices and certificates', async () => {
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
    await refused(
      request('kubernetes.io/kubelet-serving', ''),
      /: unable to parse csr: PEM block type must be CERTIFICATE REQUEST$/,
    );
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

  it('allows a node its own lease and CSINode, and the status of claims', async () => {
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
      /fields other than status.quantity and status.conditions/,
    );
    await refused(ask('persistentvolumeclaims', claim({})), /may only update PVC status/);
  });
});
