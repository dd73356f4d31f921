/** A kubelet's requests, as it makes them in Kubernetes 1.36, with a node's rights alone. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Cluster, checkInformers, condition, lease, NODE, node, nodeRequest, pod } from './cluster.mjs';
import { forms } from './forms.mjs';

const PODS = '/api/v1/namespaces/default/pods';
const SELF = `/api/v1/nodes/${NODE}`;
const CSI_NODES = '/apis/storage.k8s.io/v1/csinodes';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const SECRETS = '/api/v1/namespaces/default/secrets';
const own = { fieldSelector: `metadata.name=${NODE}` };
const ownPods = { fieldSelector: `spec.nodeName=${NODE}` };
const named = (name) => ({ selectors: { fieldSelector: `metadata.name=${name}` } });

for (const form of forms) {
  describe(`kubelet in ${form.name}`, { timeout: 600_000 }, () => {
    let cluster;
    let kubelet;
    let self;

    before(async () => {
      cluster = await Cluster.start();
      kubelet = cluster.as('kubelet', form);
      const { admin } = cluster;
      for (const name of ['mounted', 'foreign']) {
        await admin.create(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { a: 'b' } });
        await admin.create(SECRETS, { apiVersion: 'v1', kind: 'Secret', metadata: { name }, data: { a: 'Yg==' } });
      }
      await admin.create('/apis/node.k8s.io/v1/runtimeclasses', {
        apiVersion: 'node.k8s.io/v1',
        kind: 'RuntimeClass',
        metadata: { name: 'sandboxed' },
        handler: 'sandboxed',
      });
    });
    after(() => cluster.stop());

    it('registers its node, once', async () => {
      self = await kubelet.create('/api/v1/nodes', node(NODE));
      assert.equal(self.status.capacity.memory, '8Gi');
      const again = await kubelet.create('/api/v1/nodes', node(NODE), { expected: 409 });
      assert.equal(again.reason, 'AlreadyExists');
      const found = await kubelet.get(SELF);
      assert.deepEqual(found.metadata.uid, self.metadata.uid);
      await kubelet.create('/api/v1/nodes', node('n2'), { expected: 403 });
    });

    it('makes its CSINode, owned by its node', async () => {
      await kubelet.get(`${CSI_NODES}/${NODE}`, { expected: 404 });
      const owner = { apiVersion: 'v1', kind: 'Node', name: NODE, uid: self.metadata.uid };
      const made = await kubelet.create(CSI_NODES, {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSINode',
        metadata: { name: NODE, ownerReferences: [owner] },
        spec: { drivers: [] },
      });
      assert.deepEqual(made.metadata.ownerReferences, [owner]);
      const drivers = [{ name: 'driver.example.com', nodeID: NODE, topologyKeys: ['zone'], allocatable: { count: 3 } }];
      const updated = await kubelet.update(`${CSI_NODES}/${NODE}`, { ...made, spec: { drivers } });
      assert.deepEqual(updated.spec.drivers, drivers);
    });

    it('keeps its lease', async () => {
      await kubelet.get(`${LEASES}/${NODE}`, { expected: 404 });
      const wanted = lease('kube-node-lease', NODE);
      wanted.metadata.ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name: NODE, uid: self.metadata.uid }];
      const made = await kubelet.create(LEASES, wanted);
      const spec = { ...made.spec, renewTime: '2026-01-01T00:00:10.000001Z' };
      assert.deepEqual((await kubelet.update(`${LEASES}/${NODE}`, { ...made, spec })).spec, spec);
      await kubelet.create(LEASES, lease('kube-node-lease', 'n2'), { expected: 403 });
    });

    it('reports its status: conditions by type, addresses replaced as one', async () => {
      const path = `${SELF}/status`;
      const order = [{ type: 'MemoryPressure' }, { type: 'DiskPressure' }, { type: 'Ready' }];
      const disk = condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure');
      const first = await kubelet.patch(path, {
        status: {
          '$setElementOrder/conditions': order,
          conditions: [disk, { type: 'Ready', lastHeartbeatTime: '2026-01-01T00:00:10Z' }],
          images: [{ names: ['registry.k8s.io/pause:3.10'], sizeBytes: 320_448 }],
          nodeInfo: { kubeletVersion: 'v1.36.3' },
          volumesInUse: ['kubernetes.io/csi/driver.example.com^v'],
        },
      });
      assert.deepEqual(
        first.status.conditions.map(({ type, lastHeartbeatTime }) => [type, lastHeartbeatTime]),
        [
          ['MemoryPressure', '2026-01-01T00:00:00Z'],
          ['DiskPressure', '2026-01-01T00:00:00Z'],
          ['Ready', '2026-01-01T00:00:10Z'],
        ],
      );
      const address = { type: 'InternalIP', address: '192.0.2.9' };
      const second = await kubelet.patch(path, { status: { addresses: [address, { $patch: 'replace' }] } });
      assert.deepEqual(second.status.addresses, [address]);
      assert.equal(second.status.images[0].sizeBytes, 320_448);
      await kubelet.patch(SELF, { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } }, { expected: 403 });
    });

    it('informers: itself, its pods, services, and what pods may ask for', async () => {
      const { admin } = cluster;
      await admin.create(PODS, pod('elsewhere', { nodeName: 'n2' }));
      await admin.create(PODS, mounting('own'));
      await checkInformers(kubelet, [
        { path: '/api/v1/nodes', kind: 'v1 Node', selectors: own, holds: [`undefined/${NODE}`] },
        { path: '/api/v1/pods', kind: 'v1 Pod', selectors: ownPods, holds: ['default/own'] },
        {
          path: '/api/v1/services',
          kind: 'v1 Service',
          selectors: { fieldSelector: 'spec.clusterIP!=None' },
          holds: ['default/kubernetes'],
        },
        {
          path: '/apis/node.k8s.io/v1/runtimeclasses',
          kind: 'node.k8s.io/v1 RuntimeClass',
          holds: ['undefined/sandboxed'],
        },
        { path: '/apis/storage.k8s.io/v1/csidrivers', kind: 'storage.k8s.io/v1 CSIDriver' },
      ]);
      const pods = await kubelet.list('/api/v1/pods', { selectors: ownPods });
      assert.deepEqual(
        pods.map(({ metadata }) => metadata.name),
        ['own'],
      );
    });

    it('what its pods mount is read and watched one by one, what others mount is not', async () => {
      for (const [path, kind] of [
        [CONFIG_MAPS, 'ConfigMap'],
        [SECRETS, 'Secret'],
      ]) {
        assert.equal((await kubelet.get(`${path}/mounted`)).metadata.name, 'mounted');
        const { objects, watch } = await kubelet.informer(path, named('mounted'));
        assert.deepEqual(
          objects.map((each) => [each.kind, each.metadata.name]),
          [[kind, 'mounted']],
        );
        await cluster.admin.patch(`${path}/foreign`, { metadata: { labels: { a: form.name } } });
        await cluster.admin.patch(`${path}/mounted`, { metadata: { labels: { a: form.name } } });
        const { type, object } = await watch.next();
        assert.deepEqual([type, object.metadata.name], ['MODIFIED', 'mounted']);
        watch.stop();
        assert.equal((await kubelet.list(path, named('mounted'))).length, 1);
        await kubelet.get(`${path}/foreign`, { expected: 403 });
        await kubelet.get(path, { expected: 403 });
        await kubelet.get(`/api/v1/namespaces/kube-system/${kind.toLowerCase()}s/mounted`, { expected: 403 });
      }
    });

    it('a token for each of its pods, bound to the pod', async () => {
      const { metadata } = await kubelet.get(`${PODS}/own`);
      const path = '/api/v1/namespaces/default/serviceaccounts/default/token';
      const request = (name, uid) => ({
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        metadata: {},
        spec: {
          expirationSeconds: 3607,
          boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name, uid },
        },
      });
      const { status } = await kubelet.create(path, request('own', metadata.uid));
      assert.equal(status.token.split('.').length, 3);
      const reviewed = await kubelet.create('/apis/authentication.k8s.io/v1/tokenreviews', {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenReview',
        metadata: {},
        spec: { token: status.token },
      });
      assert.equal(reviewed.status.user.username, 'system:serviceaccount:default:default');
      assert.deepEqual(reviewed.status.user.extra['authentication.kubernetes.io/pod-name'], ['own']);
      const elsewhere = await cluster.admin.get(`${PODS}/elsewhere`);
      await kubelet.create(path, request('elsewhere', elsewhere.metadata.uid), { expected: 403 });
      assert.equal((await kubelet.get('/api/v1/namespaces/default/serviceaccounts/default')).kind, 'ServiceAccount');
    });

    it('who may use its own API', async () => {
      const { status } = await kubelet.create('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        metadata: {},
        spec: {
          resourceAttributes: { verb: 'get', version: 'v1', resource: 'nodes', subresource: 'metrics', name: NODE },
          user: 'somebody',
          groups: ['system:authenticated'],
        },
      });
      assert.equal(status.allowed, false);
    });

    it('what a node may read is told to who asks, selectors and all', async () => {
      const ask = async (fieldSelector) => {
        const { status } = await cluster.admin.create('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SubjectAccessReview',
          metadata: {},
          spec: {
            resourceAttributes: { verb: 'list', version: 'v1', resource: 'pods', fieldSelector },
            user: `system:node:${NODE}`,
            groups: ['system:nodes'],
          },
        });
        return status.allowed;
      };
      const requirement = (value) => ({ key: 'spec.nodeName', operator: 'In', values: [value] });
      assert.equal(await ask({ requirements: [requirement(NODE)] }), true);
      assert.equal(await ask({ requirements: [requirement('n2')] }), false);
      assert.equal(await ask({ rawSelector: `spec.nodeName=${NODE}` }), true);
      assert.equal(await ask(undefined), false);
    });

    it('the life of a pod: started, ready, deleted when it has ended', async () => {
      const { watch } = await kubelet.informer('/api/v1/pods', { selectors: ownPods });
      const { metadata } = await kubelet.get(`${PODS}/own`);
      const types = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];
      const report = (phase, ready) => ({
        metadata: { uid: metadata.uid },
        status: {
          '$setElementOrder/conditions': types.map((type) => ({ type })),
          conditions: types.slice(0, 4).map((type) => podCondition(type, ready)),
          containerStatuses: [containerStatus(ready)],
          hostIP: '192.0.2.9',
          hostIPs: [{ ip: '192.0.2.9' }],
          phase,
          podIP: '198.51.100.7',
          podIPs: [{ ip: '198.51.100.7' }],
          startTime: '2026-01-01T00:00:00Z',
        },
      });
      const { status } = await kubelet.patch(`${PODS}/own/status`, report('Running', true));
      assert.deepEqual([status.phase, status.podIP], ['Running', '198.51.100.7']);
      assert.equal((await watch.of('own')).object.status.containerStatuses[0].ready, true);
      const stale = { metadata: { uid: '00000000-0000-4000-8000-000000000000' }, status: { phase: 'Failed' } };
      assert.equal((await kubelet.patch(`${PODS}/own/status`, stale, { expected: 422 })).reason, 'Invalid');
      await kubelet.patch(`${PODS}/elsewhere/status`, { status: { phase: 'Failed' } }, { expected: 403 });

      await cluster.admin.remove(`${PODS}/own`);
      const marked = await watch.of('own');
      assert.deepEqual([marked.type, marked.object.metadata.deletionGracePeriodSeconds], ['MODIFIED', 30]);
      await kubelet.patch(`${PODS}/own/status`, report('Succeeded', false));
      const options = { apiVersion: 'v1', gracePeriodSeconds: 0, preconditions: { uid: metadata.uid } };
      await kubelet.remove(`${PODS}/own`, options);
      await cluster.until(async () => (await watch.of('own')).type === 'DELETED', 'the end of the pod');
      watch.stop();
      await kubelet.remove(`${PODS}/elsewhere`, { apiVersion: 'v1', gracePeriodSeconds: 0 }, { expected: 403 });
    });

    it('the mirror of a static pod', async () => {
      const { uid } = self.metadata;
      const made = await kubelet.create(PODS, {
        ...pod(`static-${NODE}`, { nodeName: NODE, tolerations: [{ operator: 'Exists', effect: 'NoExecute' }] }),
        metadata: {
          name: `static-${NODE}`,
          namespace: 'default',
          annotations: {
            'kubernetes.io/config.hash': 'a',
            'kubernetes.io/config.mirror': 'a',
            'kubernetes.io/config.source': 'file',
          },
          ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: NODE, uid, controller: true }],
        },
      });
      assert.equal(made.spec.nodeName, NODE);
      await kubelet.create(PODS, pod('own-wish', { nodeName: NODE }), { expected: 403 });
      await kubelet.remove(`${PODS}/static-${NODE}`, {
        apiVersion: 'v1',
        gracePeriodSeconds: 0,
        preconditions: { uid: made.metadata.uid },
      });
    });

    it('events, counted up as they come again', async () => {
      const path = '/api/v1/namespaces/default/events';
      const name = `${NODE}.18a0b1c2d3e4f507`;
      const made = await kubelet.create(path, {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name, namespace: 'default' },
        involvedObject: { kind: 'Node', name: NODE, uid: NODE },
        reason: 'NodeHasSufficientMemory',
        message: 'Node status is now: NodeHasSufficientMemory',
        source: { component: 'kubelet', host: NODE },
        firstTimestamp: '2026-01-01T00:00:00Z',
        lastTimestamp: '2026-01-01T00:00:00Z',
        count: 1,
        type: 'Normal',
        reportingComponent: 'kubelet',
        reportingInstance: NODE,
      });
      assert.equal(made.count, 1);
      const again = { count: 2, lastTimestamp: '2026-01-01T00:00:09Z' };
      const patched = await kubelet.patch(`${path}/${name}`, again);
      assert.deepEqual([patched.count, patched.lastTimestamp], [2, '2026-01-01T00:00:09Z']);
    });

    it('certificates: asked for, and waited for by name', async () => {
      const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
      const made = await kubelet.create(path, nodeRequest);
      const { name } = made.metadata;
      assert.deepEqual([made.spec.username, made.spec.groups.includes('system:nodes')], [`system:node:${NODE}`, true]);
      const { objects, watch } = await kubelet.informer(path, named(name));
      assert.equal(objects.length, 1);
      await kubelet.get(`${path}/${name}`);
      const approved = { type: 'Approved', status: 'True', reason: 'AutoApproved', message: 'a test' };
      const { admin } = cluster;
      await admin.update(`${path}/${name}/approval`, { ...made, status: { conditions: [approved] } });
      const { object } = await watch.of(name);
      assert.equal(object.status.conditions[0].type, 'Approved');
      watch.stop();
    });

    it('slices of devices of drivers that are gone are swept away by node, others stay', async () => {
      const path = '/apis/resource.k8s.io/v1/resourceslices';
      for (const [name, nodeName] of [
        ['own', NODE],
        ['foreign', 'n2'],
      ]) {
        const pool = { name: nodeName, generation: 1, resourceSliceCount: 1 };
        await cluster.admin.create(path, {
          apiVersion: 'resource.k8s.io/v1',
          kind: 'ResourceSlice',
          metadata: { name },
          spec: { driver: 'driver.example.com', nodeName, pool, devices: [{ name: 'd1' }] },
        });
      }
      await kubelet.remove(`${path}?fieldSelector=spec.nodeName%3D${NODE}`, { apiVersion: 'resource.k8s.io/v1' });
      const left = await cluster.admin.list(path);
      assert.deepEqual(
        left.map(({ metadata }) => metadata.name),
        ['foreign'],
      );
      await kubelet.remove(`${path}?fieldSelector=spec.nodeName%3Dn2`, undefined, { expected: 403 });
    });

    it('volumes of its pods: the claim, its volume, and what is attached', async () => {
      const { admin } = cluster;
      const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
      const driver = 'driver.example.com';
      await admin.create('/api/v1/persistentvolumes', {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: 'volume' },
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          csi: { driver, volumeHandle: 'v', nodePublishSecretRef: { name: 'foreign', namespace: 'default' } },
          claimRef: { namespace: 'default', name: 'claim' },
        },
      });
      await admin.create(claims, {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'claim' },
        spec: {
          accessModes: ['ReadWriteOnce'],
          volumeName: 'volume',
          storageClassName: '',
          resources: { requests: { storage: '1Gi' } },
        },
      });
      await admin.create('/apis/storage.k8s.io/v1/volumeattachments', {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'VolumeAttachment',
        metadata: { name: 'csi-attachment' },
        spec: { attacher: driver, nodeName: NODE, source: { persistentVolumeName: 'volume' } },
      });
      await kubelet.get(`${claims}/claim`, { expected: 403 });
      await kubelet.get('/api/v1/persistentvolumes/volume', { expected: 403 });
      await kubelet.get(`${SECRETS}/foreign`, { expected: 403 });
      const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'claim' } }];
      await admin.create(PODS, pod('with-volume', { nodeName: NODE, volumes }));
      await kubelet.get(`${claims}/claim`);
      await kubelet.get('/api/v1/persistentvolumes/volume');
      await kubelet.get('/apis/storage.k8s.io/v1/volumeattachments/csi-attachment');
      await kubelet.get(`${SECRETS}/foreign`);
      const { status } = await kubelet.patch(`${claims}/claim/status`, { status: { capacity: { storage: '2Gi' } } });
      assert.equal(status.capacity.storage, '2Gi');
    });
  });
}

function mounting(name) {
  return pod(name, {
    nodeName: NODE,
    volumes: [
      { name: 'config', configMap: { name: 'mounted' } },
      { name: 'secret', projected: { sources: [{ secret: { name: 'mounted' } }] } },
    ],
  });
}

const podCondition = (type, ready) => ({
  type,
  status: ready || type === 'Initialized' ? 'True' : 'False',
  observedGeneration: 1,
  lastProbeTime: null,
  lastTransitionTime: '2026-01-01T00:00:01Z',
});

function containerStatus(ready) {
  const at = '2026-01-01T00:00:01Z';
  return {
    name: 'main',
    image: 'registry.k8s.io/pause:3.10',
    imageID: 'sha256:ab',
    containerID: 'containerd://ab',
    ready,
    started: ready,
    restartCount: 0,
    lastState: {},
    state: ready
      ? { running: { startedAt: at } }
      : {
          terminated: {
            exitCode: 0,
            reason: 'Completed',
            startedAt: at,
            finishedAt: at,
            containerID: 'containerd://ab',
          },
        },
  };
}
