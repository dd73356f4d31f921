import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PersistentVolume, Pod } from '@binnacle/api/types/core-v1';
import { nodeAuthorizer } from './node-authorizer.js';
import type { NodeObjects } from './node-relations.js';

const pod = (
  namespace: string,
  name: string,
  spec: Partial<NonNullable<Pod['spec']>>,
  more: Partial<Pod> = {},
): Pod => ({
  ...more,
  metadata: { ...more.metadata, namespace, name },
  spec: { containers: [], ...spec },
});

const pods: readonly Pod[] = [
  pod('a', 'web', {
    nodeName: 'n',
    serviceAccountName: 'account',
    imagePullSecrets: [{ name: 'pull' }],
    containers: [{ name: 'c', env: [{ name: 'E', valueFrom: { configMapKeyRef: { name: 'settings', key: 'k' } } }] }],
    volumes: [
      { name: 'v', projected: { sources: [{ secret: { name: 'projected' } }, { configMap: { name: 'roots' } }] } },
      { name: 'data', persistentVolumeClaim: { claimName: 'claim' } },
      { name: 'scratch', ephemeral: {} },
    ],
    ephemeralContainers: [
      { name: 'd', envFrom: [{ secretRef: { name: 'debug' } }, { configMapRef: { name: 'debug-settings' } }] },
    ],
    resourceClaims: [
      { name: 'gpu', resourceClaimTemplateName: 't' },
      { name: 'nic', resourceClaimName: 'nic-1' },
      { name: 'disk', resourceClaimTemplateName: 't' },
    ],
  }),
  pod('a', 'other', { nodeName: 'm', imagePullSecrets: [{ name: 'foreign' }] }),
  pod(
    'a',
    'mirror',
    { nodeName: 'n', imagePullSecrets: [{ name: 'wished' }] },
    {
      metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } },
    },
  ),
];
if (pods[0] !== undefined) {
  pods[0].status = {
    resourceClaimStatuses: [{ name: 'gpu', resourceClaimName: 'gpu-1' }, { name: 'disk' }],
    extendedResourceClaimStatus: { resourceClaimName: 'extended-1', requestMappings: [] },
  };
}

const volume: PersistentVolume = {
  metadata: { name: 'volume' },
  spec: {
    claimRef: { namespace: 'a', name: 'claim' },
    csi: {
      driver: 'd',
      volumeHandle: 'h',
      nodeStageSecretRef: { namespace: 'b', name: 'stage' },
      controllerPublishSecretRef: { namespace: 'b', name: 'controllers' },
    },
  },
};
const foreignVolume: PersistentVolume = {
  ...volume,
  spec: { ...volume.spec, claimRef: { namespace: 'a', name: 'x' } },
};

const objects: NodeObjects = {
  podsOf: async (node, namespace) =>
    pods.filter(({ metadata, spec }) => metadata?.namespace === namespace && spec?.nodeName === node),
  pod: async (namespace, name) =>
    pods.find(({ metadata }) => metadata?.namespace === namespace && metadata.name === name),
  persistentVolumes: async () => [foreignVolume, volume],
  persistentVolume: async (name) => (name === 'volume' ? volume : name === 'foreign' ? foreignVolume : undefined),
  volumeAttachment: async (name) => ({ spec: { attacher: 'd', source: {}, nodeName: name } }),
  resourceSlice: async (name) => ({
    spec: { driver: 'd', pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, nodeName: name },
  }),
};
const authorizer = nodeAuthorizer(objects);

/**
 * `verb [group/]resource[/subresource] [namespace [name]] [?selector]`; `-` means no namespace. Returns `allowed`, the
 * reason for no opinion, or an empty text.
 */
async function ask(text: string, user = { name: 'system:node:n', groups: ['system:nodes'] }): Promise<string> {
  const [words = '', fieldSelector = ''] = text.split(' ?');
  const [verb = '', what = '', namespace = '-', name = ''] = words.split(' ');
  const isResourceRequest = !what.startsWith('/');
  const [plain = '', subresource = ''] = what.split('/');
  const [resource = '', ...group] = plain.split('.');
  const decision = await authorizer.authorize({
    user: { ...user, uid: '', extra: {} },
    verb,
    isResourceRequest,
    namespace: namespace === '-' ? '' : namespace,
    group: group.join('.'),
    version: 'v1',
    resource,
    subresource,
    name,
    path: isResourceRequest ? '' : what,
    fieldSelector,
  });
  return decision.allowed ? 'allowed' : decision.reason;
}

const unrelated = "no relationship found between node 'n' and this object";
const sliceSelector = 'can only list/watch/deletecollection resourceslices with nodeName field selector';
const oneAccount = 'can only create tokens for individual service accounts';

// Upstream's table is in `plugin/pkg/auth/authorizer/node/node_authorizer_test.go`.
describe('nodeAuthorizer', () => {
  const cases: readonly (readonly [request: string, answer: string])[] = [
    // Resources that are not served, with names that every object inherits.
    ['get __proto__ a x', ''],
    ['list constructor', ''],
    ['create valueOf a', ''],
    ['delete toString.hasOwnProperty - x', ''],
    // Pods and the objects that they reference.
    ['get pods a web', 'allowed'],
    ['get pods a other', unrelated],
    ['get pods a mirror', 'allowed'],
    ['get pods/status a web', ''],
    ['list pods - ?spec.nodeName=n', 'allowed'],
    ['list pods - ?spec.nodeName==n', 'allowed'],
    ['list pods - ?spec.nodeName=m,spec.nodeName=n', 'allowed'],
    ['list pods', 'can only list/watch pods with spec.nodeName field selector'],
    ['watch pods', 'can only list/watch pods with spec.nodeName field selector'],
    ['watch pods - ?spec.nodeName=n,status.phase!=Failed', 'allowed'],
    ['watch pods - ?spec.nodeName=m', 'can only list/watch pods with spec.nodeName field selector'],
    ['watch pods - ?spec.nodeName!=m', 'can only list/watch pods with spec.nodeName field selector'],
    ['list pods - ?spec.nodeName', 'can only list/watch pods with spec.nodeName field selector'],
    ['list pods a web', 'allowed'],
    ['list pods a other', unrelated],
    ['watch pods a web', 'allowed'],
    ['create pods a', 'allowed'],
    ['create pods/proxy a web', ''],
    ['delete pods a web', 'allowed'],
    ['delete pods/proxy a web', ''],
    // The admission plugin refuses the pods of other nodes.
    ['delete pods a other', 'allowed'],
    ['update pods/status a other', 'allowed'],
    ['create pods/eviction a other', 'allowed'],
    ['patch pods/status a web', 'allowed'],
    ['create pods/eviction a web', 'allowed'],
    ['patch pods a web', ''],
    ['create pods/binding a web', ''],
    ['get secrets a pull', 'allowed'],
    ['list secrets a pull', 'allowed'],
    ['get secrets a debug', 'allowed'],
    ['watch secrets a projected', 'allowed'],
    ['get secrets a foreign', unrelated],
    ['get secrets a wished', unrelated],
    ['get secrets b pull', unrelated],
    ['list secrets a', 'No Object name found'],
    ['watch secrets a', 'No Object name found'],
    ['list secrets - pull', 'can only read namespaced object of this type'],
    ['get secrets/status a pull', 'cannot read subresource'],
    ['list secrets', 'can only read namespaced object of this type'],
    ['update secrets a pull', 'can only read resources of this type'],
    ['get configmaps a settings', 'allowed'],
    ['get configmaps a debug-settings', 'allowed'],
    ['get configmaps a roots', 'allowed'],
    ['get configmaps a pull', unrelated],
    // Volumes, through the claims of pods.
    ['get persistentvolumeclaims a claim', 'allowed'],
    ['get persistentvolumeclaims a web-scratch', 'allowed'],
    ['get persistentvolumeclaims a x', unrelated],
    ['list persistentvolumeclaims a claim', 'can only get individual resources of this type'],
    ['patch persistentvolumeclaims/status a claim', 'allowed'],
    ['get persistentvolumeclaims/status a claim', 'can only get/update/patch this type'],
    ['get persistentvolumes - volume', 'allowed'],
    ['get persistentvolumes - foreign', unrelated],
    ['get persistentvolumes/status - volume', 'cannot get subresource'],
    ['get secrets b stage', 'allowed'],
    ['get secrets b controllers', unrelated],
    ['get volumeattachments.storage.k8s.io - n', 'allowed'],
    ['get volumeattachments.storage.k8s.io - m', unrelated],
    ['list volumeattachments.storage.k8s.io', 'can only get individual resources of this type'],
    // Devices.
    ['get resourceclaims.resource.k8s.io a gpu-1', 'allowed'],
    ['get resourceclaims.resource.k8s.io a gpu', unrelated],
    ['get resourceclaims.resource.k8s.io a nic-1', 'allowed'],
    ['get resourceclaims.resource.k8s.io a extended-1', 'allowed'],
    ['get resourceclaims.resource.k8s.io a t', unrelated],
    ['get resourceclaims.resource.k8s.io a disk', unrelated],
    ['get resourceclaims.resource.k8s.io b gpu-1', unrelated],
    ['watch resourceclaims.resource.k8s.io a gpu-1', 'can only get individual resources of this type'],
    ['create resourceslices.resource.k8s.io', 'allowed'],
    ['get resourceslices.resource.k8s.io - n', 'allowed'],
    ['get resourceslices.resource.k8s.io - m', unrelated],
    ['get resourceslices.resource.k8s.io/status - n', 'cannot authorize ResourceSlice subresources'],
    ['update resourceslices.resource.k8s.io - n', 'allowed'],
    ['update resourceslices.resource.k8s.io - m', unrelated],
    ['patch resourceslices.resource.k8s.io - n', 'allowed'],
    ['patch resourceslices.resource.k8s.io - m', unrelated],
    ['delete resourceslices.resource.k8s.io - n', 'allowed'],
    ['delete resourceslices.resource.k8s.io - m', unrelated],
    ['list resourceslices.resource.k8s.io - ?spec.nodeName==n', 'allowed'],
    ['watch resourceslices.resource.k8s.io - ?spec.nodeName==n', 'allowed'],
    ['list resourceslices.resource.k8s.io - ?spec.nodeName==m', sliceSelector],
    ['list resourceslices.resource.k8s.io', sliceSelector],
    ['watch resourceslices.resource.k8s.io', sliceSelector],
    ['deletecollection resourceslices.resource.k8s.io - ?spec.nodeName=n', 'allowed'],
    ['deletecollection resourceslices.resource.k8s.io', sliceSelector],
    [
      'impersonate resourceslices.resource.k8s.io - ?spec.nodeName=n',
      'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
    ],
    // Service accounts of pods.
    ['create serviceaccounts/token a account', 'allowed'],
    ['create serviceaccounts/token a other', unrelated],
    ['update serviceaccounts/token a account', oneAccount],
    ['create serviceaccounts a', oneAccount],
    ['create serviceaccounts a account', 'can only create token subresource of serviceaccount'],
    ['get serviceaccounts a account', 'allowed'],
    ['get serviceaccounts a other', unrelated],
    ['list serviceaccounts a account', oneAccount],
    ['watch serviceaccounts a account', oneAccount],
    // The feature of certificates for pods is off by default.
    ...['create', 'get', 'list', 'watch'].map(
      (verb) => [`${verb} podcertificaterequests.certificates.k8s.io a x ?spec.nodeName=n`, ''] as const,
    ),
    // The node itself.
    ['get nodes - n', 'allowed'],
    ['watch nodes - n', 'allowed'],
    ['list nodes - n', 'allowed'],
    ['get nodes - m', "node 'n' cannot read 'm', only its own Node object"],
    ['list nodes - m', "node 'n' cannot read 'm', only its own Node object"],
    ['watch nodes - m', "node 'n' cannot read 'm', only its own Node object"],
    ['list nodes', "node 'n' cannot read all nodes, only its own Node object"],
    ['watch nodes', "node 'n' cannot read all nodes, only its own Node object"],
    ['get nodes/status - n', ''],
    ['create nodes', 'allowed'],
    ['patch nodes/status - n', 'allowed'],
    ['update nodes - n', 'allowed'],
    // The admission plugin refuses other nodes.
    ...['update nodes', 'patch nodes', 'update nodes/status', 'patch nodes/status'].map(
      (request) => [`${request} - m`, 'allowed'] as const,
    ),
    ['delete nodes - n', ''],
    ...['get', 'create', 'update', 'patch', 'delete'].flatMap((verb) => [
      [`${verb} leases.coordination.k8s.io kube-node-lease n`, 'allowed'] as const,
      [
        `${verb} leases.coordination.k8s.io kube-system n`,
        'can only access leases in the "kube-node-lease" system namespace',
      ] as const,
      [`${verb} csinodes.storage.k8s.io - n`, 'allowed'] as const,
      [`${verb} csinodes.storage.k8s.io/csiDrivers - n`, 'cannot authorize CSINode subresources'] as const,
    ]),
    ...['get', 'update', 'patch', 'delete'].flatMap((verb) => [
      [
        `${verb} leases.coordination.k8s.io kube-node-lease m`,
        'can only access node lease with the same name as the requesting node',
      ] as const,
      [
        `${verb} csinodes.storage.k8s.io - m`,
        'can only access CSINode with the same name as the requesting node',
      ] as const,
    ]),
    ['create leases.coordination.k8s.io kube-node-lease', 'allowed'],
    ...['list', 'watch'].flatMap((verb) => [
      [
        `${verb} leases.coordination.k8s.io kube-node-lease`,
        'can only get, create, update, patch, or delete a node lease',
      ] as const,
      [`${verb} csinodes.storage.k8s.io`, 'can only get, create, update, patch, or delete a CSINode'] as const,
    ]),
    // Resources that the role of nodes opens to every node.
    ['watch services', 'allowed'],
    ['list runtimeclasses.node.k8s.io', 'allowed'],
    ['create events a', 'allowed'],
    ['create subjectaccessreviews.authorization.k8s.io', 'allowed'],
    ['delete services a web', ''],
    ['get /metrics', ''],
  ];
  for (const [request, answer] of cases) {
    it(`${request}: ${answer || 'no opinion'}`, async () => assert.equal(await ask(request), answer));
  }

  it('has no opinion on other users, nor on a node that does not identify itself', async () => {
    assert.equal(await ask('get pods a web', { name: 'system:node:n', groups: [] }), '');
    assert.equal(await ask('get pods a web', { name: 'jane', groups: ['system:nodes'] }), '');
    const nameless = await ask('get pods a web', { name: 'system:node:', groups: ['system:nodes'] });
    assert.equal(nameless, 'unknown node for user "system:node:"');
  });
});
