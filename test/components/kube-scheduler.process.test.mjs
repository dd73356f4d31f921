/** kube-scheduler's requests, as it makes them in Kubernetes 1.36. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Cluster, checkInformers, lease, NODE, node, pod } from './cluster.mjs';
import { forms } from './forms.mjs';

const PODS = '/api/v1/namespaces/default/pods';
const EVENTS = '/apis/events.k8s.io/v1/namespaces/default/events';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const unfinished = { fieldSelector: 'status.phase!=Succeeded,status.phase!=Failed' };

const storage = (resource, kind) => ({
  path: `/apis/storage.k8s.io/v1/${resource}`,
  kind: `storage.k8s.io/v1 ${kind}`,
});
const devices = (resource, kind) => ({
  path: `/apis/resource.k8s.io/v1/${resource}`,
  kind: `resource.k8s.io/v1 ${kind}`,
});
const core = (resource, kind) => ({ path: `/api/v1/${resource}`, kind: `v1 ${kind}` });

const unschedulable = (message) => ({
  type: 'PodScheduled',
  status: 'False',
  reason: 'Unschedulable',
  message,
  observedGeneration: 1,
  lastProbeTime: null,
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

for (const form of forms) {
  describe(`kube-scheduler in ${form.name}`, { timeout: 600_000 }, () => {
    let cluster;
    let scheduler;

    before(async () => {
      cluster = await Cluster.start();
      scheduler = cluster.as('scheduler', form);
      const { admin } = cluster;
      await admin.create('/api/v1/nodes', node(NODE));
      await admin.create(PODS, pod('waiting'));
      await admin.create(PODS, pod('done'));
      await admin.patch(`${PODS}/done/status`, { status: { phase: 'Succeeded' } });
      for (const [path, object] of clusterObjects()) await admin.create(path, object);
    });
    after(() => cluster.stop());

    it('informers: whatever may decide over a pod', () =>
      checkInformers(scheduler, [
        { ...core('pods', 'Pod'), selectors: unfinished, holds: ['default/waiting'] },
        { ...core('nodes', 'Node'), holds: [`undefined/${NODE}`] },
        { ...core('namespaces', 'Namespace'), holds: ['undefined/kube-system'] },
        { ...core('services', 'Service'), holds: ['default/kubernetes'] },
        { ...core('persistentvolumes', 'PersistentVolume'), holds: ['undefined/volume'] },
        { ...core('persistentvolumeclaims', 'PersistentVolumeClaim'), holds: ['default/claim'] },
        core('replicationcontrollers', 'ReplicationController'),
        { path: '/apis/apps/v1/replicasets', kind: 'apps/v1 ReplicaSet' },
        { path: '/apis/apps/v1/statefulsets', kind: 'apps/v1 StatefulSet' },
        {
          path: '/apis/policy/v1/poddisruptionbudgets',
          kind: 'policy/v1 PodDisruptionBudget',
          holds: ['default/budget'],
        },
        { ...storage('storageclasses', 'StorageClass'), holds: ['undefined/late'] },
        { ...storage('csinodes', 'CSINode'), holds: [`undefined/${NODE}`] },
        { ...storage('csidrivers', 'CSIDriver'), holds: ['undefined/driver.example.com'] },
        storage('csistoragecapacities', 'CSIStorageCapacity'),
        storage('volumeattachments', 'VolumeAttachment'),
        { ...devices('resourceclaims', 'ResourceClaim'), holds: ['default/device'] },
        { ...devices('resourceslices', 'ResourceSlice'), holds: ['undefined/slice'] },
        { ...devices('deviceclasses', 'DeviceClass'), holds: ['undefined/class.example.com'] },
      ]));

    it('who may ask it about itself: one config map, watched by name', async () => {
      const { objects, watch } = await scheduler.informer('/api/v1/namespaces/kube-system/configmaps', {
        selectors: { fieldSelector: 'metadata.name=extension-apiserver-authentication' },
      });
      watch.stop();
      assert.deepEqual(
        objects.map(({ metadata }) => metadata.name),
        ['extension-apiserver-authentication'],
      );
      assert.match(objects[0].data['client-ca-file'], /^-----BEGIN CERTIFICATE-----/);
      const review = await scheduler.create('/apis/authentication.k8s.io/v1/tokenreviews', {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenReview',
        metadata: {},
        spec: { token: 'proxy' },
      });
      assert.equal(review.status.user.username, 'system:kube-proxy');
      const access = await scheduler.create('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        metadata: {},
        spec: { nonResourceAttributes: { path: '/metrics', verb: 'get' }, user: 'x', groups: ['system:monitoring'] },
      });
      assert.equal(access.status.allowed, true);
    });

    it('its lease: made once, taken over and renewed with microseconds', async () => {
      const path = `${LEASES}/kube-scheduler`;
      await scheduler.get(path, { expected: 404 });
      const made = await scheduler.create(LEASES, lease('kube-system', 'kube-scheduler'));
      const spec = { ...made.spec, renewTime: '2026-01-01T00:00:05.654321Z' };
      const renewed = await scheduler.update(path, { ...made, spec });
      assert.deepEqual(renewed.spec, spec);
      await scheduler.update(path, made, { expected: 409 });
    });

    it('a pod that fits nowhere: its condition, a nomination, an event and its series', async () => {
      const { metadata } = await cluster.admin.get(`${PODS}/waiting`);
      const patch = (condition, more = {}) => ({
        status: { ...more, conditions: [condition], '$setElementOrder/conditions': [{ type: 'PodScheduled' }] },
      });
      const first = await scheduler.patch(`${PODS}/waiting/status`, patch(unschedulable('0/1 nodes are available')));
      assert.equal(first.status.conditions.length, 1);
      assert.equal(first.status.conditions[0].observedGeneration, 1);
      const nominated = await scheduler.patch(
        `${PODS}/waiting/status`,
        patch({ type: 'PodScheduled', message: 'preemption is helpful' }, { nominatedNodeName: NODE }),
      );
      assert.equal(nominated.status.nominatedNodeName, NODE);
      assert.deepEqual(
        nominated.status.conditions.map(({ type, reason, message }) => [type, reason, message]),
        [['PodScheduled', 'Unschedulable', 'preemption is helpful']],
      );
      const cleared = await scheduler.patch(`${PODS}/waiting/status`, { status: { nominatedNodeName: null } });
      assert.equal(cleared.status.nominatedNodeName, undefined);

      const name = 'waiting.18a0b1c2d3e4f506';
      const event = await scheduler.create(EVENTS, {
        apiVersion: 'events.k8s.io/v1',
        kind: 'Event',
        metadata: { name, namespace: 'default' },
        eventTime: '2026-01-01T00:00:00.123456Z',
        reportingController: 'default-scheduler',
        reportingInstance: 'default-scheduler-host',
        action: 'Scheduling',
        reason: 'FailedScheduling',
        regarding: { kind: 'Pod', namespace: 'default', name: 'waiting', uid: metadata.uid, apiVersion: 'v1' },
        note: '0/1 nodes are available',
        type: 'Warning',
      });
      assert.equal(event.eventTime, '2026-01-01T00:00:00.123456Z');
      const series = { count: 2, lastObservedTime: '2026-01-01T00:00:07.654321Z' };
      const again = await scheduler.patch(`${EVENTS}/${name}`, { series });
      assert.deepEqual(again.series, series);
      await scheduler.patch(`${EVENTS}/never-written`, { series }, { expected: 404 });
    });

    it('a pod that fits: bound once, without a body to speak of in the answer, and seen by everybody', async () => {
      const { metadata } = await cluster.admin.get(`${PODS}/waiting`);
      const { watch } = await scheduler.informer('/api/v1/pods', { selectors: unfinished });
      const binding = {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name: 'waiting', namespace: 'default', uid: metadata.uid },
        target: { kind: 'Node', name: NODE },
      };
      const path = `${PODS}/waiting/binding`;
      const stale = { ...binding, metadata: { ...binding.metadata, uid: '00000000-0000-4000-8000-000000000000' } };
      assert.equal((await scheduler.create(path, stale, { expected: 409 })).reason, 'Conflict');
      const answer = await scheduler.create(path, binding);
      assert.deepEqual([answer.kind, answer.status], ['Status', 'Success']);
      const { type, object } = await watch.of('waiting');
      assert.deepEqual([type, object.spec.nodeName], ['MODIFIED', NODE]);
      const scheduled = object.status.conditions.find((each) => each.type === 'PodScheduled');
      assert.equal(scheduled.status, 'True');
      assert.equal((await scheduler.create(path, binding, { expected: 409 })).reason, 'Conflict');
      watch.stop();
    });

    it('a victim: told why, deleted, and gone from the watch of what is not finished', async () => {
      await cluster.admin.create(PODS, pod('victim', { nodeName: NODE }));
      const { watch } = await scheduler.informer('/api/v1/pods', { selectors: unfinished });
      const condition = {
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'PreemptionByScheduler',
        message: 'default-scheduler: preempting to accommodate a higher priority pod',
        lastProbeTime: null,
        lastTransitionTime: '2026-01-01T00:00:00Z',
      };
      const { status } = await scheduler.patch(`${PODS}/victim/status`, {
        status: { '$setElementOrder/conditions': [{ type: 'DisruptionTarget' }], conditions: [condition] },
      });
      assert.ok(status.conditions.some(({ type }) => type === 'DisruptionTarget'));
      await scheduler.remove(`${PODS}/victim`, { apiVersion: 'v1' });
      assert.equal((await watch.of('victim')).object.metadata.deletionTimestamp, undefined);
      const { type, object } = await watch.of('victim');
      assert.deepEqual([type, object.metadata.deletionGracePeriodSeconds], ['MODIFIED', 30]);
      await cluster.admin.patch(`${PODS}/victim/status`, { status: { phase: 'Failed' } });
      assert.equal((await watch.of('victim')).type, 'DELETED');
      watch.stop();
    });

    it('claims: a device allocated and reserved, a volume bound to its claim', async () => {
      const claimPath = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims/device';
      const claim = await scheduler.get(claimPath);
      const withFinalizer = await scheduler.update(claimPath, {
        ...claim,
        metadata: { ...claim.metadata, finalizers: ['resource.kubernetes.io/delete-protection'] },
      });
      const reserved = await scheduler.update(`${claimPath}/status`, {
        ...withFinalizer,
        status: {
          allocation: {
            devices: { results: [{ request: 'one', driver: 'driver.example.com', pool: NODE, device: 'd1' }] },
            nodeSelector: {
              nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [NODE] }] }],
            },
          },
          reservedFor: [{ resource: 'pods', name: 'waiting', uid: 'a' }],
        },
      });
      assert.equal(reserved.status.reservedFor[0].name, 'waiting');

      const volumePath = '/api/v1/persistentvolumes/volume';
      const volume = await scheduler.get(volumePath);
      const { uid, resourceVersion } = await scheduler.get('/api/v1/namespaces/default/persistentvolumeclaims/claim');
      const claimRef = {
        kind: 'PersistentVolumeClaim',
        apiVersion: 'v1',
        namespace: 'default',
        name: 'claim',
        uid,
        resourceVersion,
      };
      const bound = await scheduler.update(volumePath, { ...volume, spec: { ...volume.spec, claimRef } });
      assert.equal(bound.spec.claimRef.name, 'claim');
      const pvcPath = '/api/v1/namespaces/default/persistentvolumeclaims/claim';
      const pvc = await scheduler.get(pvcPath);
      const annotations = { 'volume.kubernetes.io/selected-node': NODE };
      const selected = await scheduler.update(pvcPath, { ...pvc, metadata: { ...pvc.metadata, annotations } });
      assert.deepEqual(selected.metadata.annotations, annotations);
    });
  });
}

/** What a scheduler finds besides pods and nodes. */
function clusterObjects() {
  const inDefault = (name) => ({ name, namespace: 'default' });
  return [
    [
      '/api/v1/persistentvolumes',
      {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: 'volume' },
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          storageClassName: 'late',
          hostPath: { path: '/data' },
        },
      },
    ],
    [
      '/api/v1/namespaces/default/persistentvolumeclaims',
      {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: inDefault('claim'),
        spec: {
          accessModes: ['ReadWriteOnce'],
          storageClassName: 'late',
          resources: { requests: { storage: '1Gi' } },
        },
      },
    ],
    [
      '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
      {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: inDefault('budget'),
        spec: { minAvailable: 1, selector: { matchLabels: { app: 'a' } } },
      },
    ],
    [
      '/apis/storage.k8s.io/v1/storageclasses',
      {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name: 'late' },
        provisioner: 'driver.example.com',
        volumeBindingMode: 'WaitForFirstConsumer',
      },
    ],
    [
      '/apis/storage.k8s.io/v1/csinodes',
      {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSINode',
        metadata: { name: NODE },
        spec: { drivers: [{ name: 'driver.example.com', nodeID: NODE, topologyKeys: ['kubernetes.io/hostname'] }] },
      },
    ],
    [
      '/apis/storage.k8s.io/v1/csidrivers',
      {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSIDriver',
        metadata: { name: 'driver.example.com' },
        spec: { attachRequired: false },
      },
    ],
    [
      '/apis/resource.k8s.io/v1/deviceclasses',
      {
        apiVersion: 'resource.k8s.io/v1',
        kind: 'DeviceClass',
        metadata: { name: 'class.example.com' },
        spec: { selectors: [{ cel: { expression: 'device.driver == "driver.example.com"' } }] },
      },
    ],
    [
      '/apis/resource.k8s.io/v1/resourceslices',
      {
        apiVersion: 'resource.k8s.io/v1',
        kind: 'ResourceSlice',
        metadata: { name: 'slice' },
        spec: {
          driver: 'driver.example.com',
          nodeName: NODE,
          pool: { name: NODE, generation: 1, resourceSliceCount: 1 },
          devices: [{ name: 'd1' }],
        },
      },
    ],
    [
      '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims',
      {
        apiVersion: 'resource.k8s.io/v1',
        kind: 'ResourceClaim',
        metadata: inDefault('device'),
        spec: { devices: { requests: [{ name: 'one', exactly: { deviceClassName: 'class.example.com' } }] } },
      },
    ],
  ];
}
