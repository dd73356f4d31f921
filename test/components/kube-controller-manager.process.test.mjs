/** kube-controller-manager's requests, as it makes them in Kubernetes 1.36 with `--use-service-account-credentials`. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { definition } from '../custom-resources/definition.mjs';
import { Cluster, checkInformers, lease, NODE, node, nodeRequest, pod } from './cluster.mjs';
import { metadataAlone, metadataListAlone } from './component.mjs';
import { forms } from './forms.mjs';

const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const ACCOUNTS = '/api/v1/namespaces/kube-system/serviceaccounts';
const PODS = '/api/v1/namespaces/default/pods';
const APPS = '/apis/apps/v1/namespaces/default';
const DISCOVERY =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,' +
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json';

/** What it watches whole: `path kinds...`, a list of resources and their kinds for each group version. */
const watched = {
  'v1 ConfigMap': '/api/v1/configmaps',
  'v1 Endpoints': '/api/v1/endpoints',
  'v1 LimitRange': '/api/v1/limitranges',
  'v1 Namespace': '/api/v1/namespaces',
  'v1 Node': '/api/v1/nodes',
  'v1 PersistentVolume': '/api/v1/persistentvolumes',
  'v1 PersistentVolumeClaim': '/api/v1/persistentvolumeclaims',
  'v1 Pod': '/api/v1/pods',
  'v1 PodTemplate': '/api/v1/podtemplates',
  'v1 ReplicationController': '/api/v1/replicationcontrollers',
  'v1 ResourceQuota': '/api/v1/resourcequotas',
  'v1 Secret': '/api/v1/secrets',
  'v1 Service': '/api/v1/services',
  'v1 ServiceAccount': '/api/v1/serviceaccounts',
  'admissionregistration.k8s.io/v1 MutatingAdmissionPolicy':
    '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies',
  'admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy':
    '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
  'apps/v1 ControllerRevision': '/apis/apps/v1/controllerrevisions',
  'apps/v1 DaemonSet': '/apis/apps/v1/daemonsets',
  'apps/v1 Deployment': '/apis/apps/v1/deployments',
  'apps/v1 ReplicaSet': '/apis/apps/v1/replicasets',
  'apps/v1 StatefulSet': '/apis/apps/v1/statefulsets',
  'autoscaling/v2 HorizontalPodAutoscaler': '/apis/autoscaling/v2/horizontalpodautoscalers',
  'batch/v1 CronJob': '/apis/batch/v1/cronjobs',
  'batch/v1 Job': '/apis/batch/v1/jobs',
  'certificates.k8s.io/v1 CertificateSigningRequest': '/apis/certificates.k8s.io/v1/certificatesigningrequests',
  'coordination.k8s.io/v1 Lease': '/apis/coordination.k8s.io/v1/leases',
  'discovery.k8s.io/v1 EndpointSlice': '/apis/discovery.k8s.io/v1/endpointslices',
  'flowcontrol.apiserver.k8s.io/v1 FlowSchema': '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas',
  'networking.k8s.io/v1 Ingress': '/apis/networking.k8s.io/v1/ingresses',
  'networking.k8s.io/v1 IPAddress': '/apis/networking.k8s.io/v1/ipaddresses',
  'networking.k8s.io/v1 NetworkPolicy': '/apis/networking.k8s.io/v1/networkpolicies',
  'networking.k8s.io/v1 ServiceCIDR': '/apis/networking.k8s.io/v1/servicecidrs',
  'policy/v1 PodDisruptionBudget': '/apis/policy/v1/poddisruptionbudgets',
  'rbac.authorization.k8s.io/v1 ClusterRole': '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  'resource.k8s.io/v1 ResourceClaim': '/apis/resource.k8s.io/v1/resourceclaims',
  'resource.k8s.io/v1 ResourceClaimTemplate': '/apis/resource.k8s.io/v1/resourceclaimtemplates',
  'scheduling.k8s.io/v1 PriorityClass': '/apis/scheduling.k8s.io/v1/priorityclasses',
  'storage.k8s.io/v1 CSINode': '/apis/storage.k8s.io/v1/csinodes',
  'storage.k8s.io/v1 StorageClass': '/apis/storage.k8s.io/v1/storageclasses',
  'storage.k8s.io/v1 VolumeAttachment': '/apis/storage.k8s.io/v1/volumeattachments',
  'storage.k8s.io/v1 VolumeAttributesClass': '/apis/storage.k8s.io/v1/volumeattributesclasses',
};

const labels = { app: 'web' };
const template = { metadata: { labels }, spec: pod('').spec };
const workload = (kind, name, spec) => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name, namespace: 'default' },
  spec,
});
const deployment = workload('Deployment', 'web', { replicas: 2, selector: { matchLabels: labels }, template });

for (const form of forms) {
  describe(`kube-controller-manager in ${form.name}`, { timeout: 600_000 }, () => {
    let cluster;
    let manager;

    before(async () => {
      cluster = await Cluster.start();
      manager = cluster.as('controllerManager', form);
    });
    after(() => cluster.stop());

    /** One of its loops, as the account of its own, made if it is not there. */
    async function loop(name) {
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: 'kube-system' } };
      await manager.get(`${ACCOUNTS}/${name}`, { expected: [200, 404] });
      await manager.create(ACCOUNTS, account, { expected: [201, 409] });
      const { status } = await manager.create(`${ACCOUNTS}/${name}/token`, {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        metadata: {},
        spec: { expirationSeconds: 3600 },
      });
      return cluster.as(status.token, form);
    }

    it('waits for the server, and takes the lease', async () => {
      assert.equal(
        await manager.get('/healthz', { accept: 'application/vnd.kubernetes.protobuf, application/json, */*' }),
        'ok',
      );
      await manager.get(`${LEASES}/kube-controller-manager`, { expected: 404 });
      const made = await manager.create(LEASES, lease('kube-system', 'kube-controller-manager'));
      await manager.update(`${LEASES}/kube-controller-manager`, made);
    });

    it('discovery: all groups in two requests', async () => {
      const groups = [];
      for (const path of ['/api', '/apis']) {
        const list = await manager.get(path, { accept: DISCOVERY });
        assert.equal(`${list.apiVersion} ${list.kind}`, 'apidiscovery.k8s.io/v2 APIGroupDiscoveryList');
        groups.push(...list.items.map(({ metadata }) => metadata.name ?? ''));
      }
      for (const group of ['', 'apps', 'batch', 'resource.k8s.io']) assert.ok(groups.includes(group), group);
    });

    it('informers of all that it looks after', () =>
      checkInformers(
        manager,
        Object.entries(watched).map(([kind, path]) => ({ kind, path })),
      ));

    it('informers of metadata alone, for the garbage collector and quotas', async () => {
      const collector = await loop('generic-garbage-collector');
      const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
      await cluster.admin.create(path, lamps);
      for (const each of [path, '/api/v1/pods', '/apis/apiregistration.k8s.io/v1/apiservices']) {
        const { objects, watch } = await collector.informer(each, { as: metadataAlone });
        const items = await collector.list(each, { as: metadataListAlone });
        assert.deepEqual(
          objects.map(({ metadata }) => metadata.name),
          items.map(({ metadata }) => metadata.name),
        );
        for (const object of objects) {
          assert.deepEqual(Object.keys(object).sort(), ['apiVersion', 'kind', 'metadata']);
          assert.equal(object.kind, 'PartialObjectMetadata');
        }
        watch.stop();
      }
      const one = await collector.get(`${path}/${lamps.metadata.name}`, {
        accept: form.accept(metadataAlone),
      });
      assert.equal(one.kind, 'PartialObjectMetadata');
    });

    it('the collector adopts by patch and deletes with preconditions', async () => {
      const collector = await loop('generic-garbage-collector');
      const { metadata } = await cluster.admin.create(PODS, pod('owned'));
      const { uid: ownerUid } = (await cluster.admin.create(PODS, pod('owner'))).metadata;
      const owner = { apiVersion: 'v1', kind: 'Pod', name: 'owner', uid: ownerUid };
      const patched = await collector.patch(
        `${PODS}/owned`,
        { metadata: { ownerReferences: [owner], uid: metadata.uid } },
        { accept: form.accept(metadataAlone) },
      );
      assert.deepEqual(patched.metadata.ownerReferences, [owner]);
      const without = { metadata: { ownerReferences: [{ $patch: 'delete', uid: ownerUid }], uid: metadata.uid } };
      const left = await collector.patch(`${PODS}/owned`, without, { accept: form.accept(metadataAlone) });
      assert.equal(left.metadata.ownerReferences, undefined);
      const { resourceVersion, uid } = left.metadata;
      const stale = { apiVersion: 'v1', preconditions: { uid, resourceVersion: metadata.resourceVersion } };
      await collector.remove(`${PODS}/owned`, stale, { expected: 409 });
      const options = { apiVersion: 'v1', preconditions: { uid, resourceVersion }, propagationPolicy: 'Background' };
      await collector.remove(`${PODS}/owned`, options);
    });

    it('a deployment: a replica set, its pods, and what became of them', async () => {
      const made = await cluster.admin.create(`${APPS}/deployments`, deployment);
      const deployments = await loop('deployment-controller');
      const sets = await loop('replicaset-controller');
      const owner = (object) => ({
        apiVersion: object.apiVersion,
        kind: object.kind,
        name: object.metadata.name,
        uid: object.metadata.uid,
        controller: true,
        blockOwnerDeletion: true,
      });
      const wanted = workload('ReplicaSet', 'web-abc', {
        replicas: 2,
        selector: { matchLabels: { ...labels, 'pod-template-hash': 'abc' } },
        template: { ...template, metadata: { labels: { ...labels, 'pod-template-hash': 'abc' } } },
      });
      wanted.metadata.ownerReferences = [owner({ ...deployment, metadata: made.metadata })];
      const set = await deployments.create(`${APPS}/replicasets`, wanted);
      const child = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          generateName: 'web-abc-',
          labels: wanted.spec.template.metadata.labels,
          ownerReferences: [owner({ ...wanted, metadata: set.metadata })],
        },
        spec: template.spec,
      };
      const { metadata } = await sets.create(PODS, child);
      assert.match(metadata.name, /^web-abc-[a-z0-9]{5}$/);
      const status = { replicas: 1, fullyLabeledReplicas: 1, observedGeneration: 1 };
      const seen = await sets.update(`${APPS}/replicasets/web-abc/status`, { ...set, status });
      assert.deepEqual(
        { ...seen.status, terminatingReplicas: undefined },
        { ...status, terminatingReplicas: undefined },
      );
      await sets.update(`${APPS}/replicasets/web-abc/status`, { ...set, status: { replicas: 2 } }, { expected: 409 });
      const progressing = {
        type: 'Progressing',
        status: 'True',
        reason: 'ReplicaSetUpdated',
        message: 'is progressing',
        lastUpdateTime: '2026-01-01T00:00:00Z',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      };
      const told = await deployments.update(`${APPS}/deployments/web/status`, {
        ...made,
        status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1, conditions: [progressing] },
      });
      assert.equal(told.status.conditions[0].type, 'Progressing');
      await sets.create(`${APPS}/replicasets`, wanted, { expected: 403 });
    });

    it('scales what it knows by its scale alone', async () => {
      const autoscaler = await loop('horizontal-pod-autoscaler');
      const path = `${APPS}/deployments/web/scale`;
      const scale = await autoscaler.get(path);
      assert.deepEqual([scale.apiVersion, scale.kind, scale.spec.replicas], ['autoscaling/v1', 'Scale', 2]);
      assert.equal(scale.status.selector, 'app=web');
      const changed = await autoscaler.update(path, { ...scale, spec: { replicas: 3 } });
      assert.equal(changed.spec.replicas, 3);
      assert.equal((await cluster.admin.get(`${APPS}/deployments/web`)).spec.replicas, 3);
    });

    it('revisions of stateful sets and daemon sets, with a template of their own inside', async () => {
      const sets = await loop('statefulset-controller');
      const data = { spec: { template: { $patch: 'replace', spec: { containers: [{ name: 'c', image: 'x' }] } } } };
      const revision = {
        apiVersion: 'apps/v1',
        kind: 'ControllerRevision',
        metadata: { name: 's-1' },
        data,
        revision: 1,
      };
      const made = await sets.create(`${APPS}/controllerrevisions`, revision);
      assert.deepEqual(made.data, data);
      assert.equal(Number(made.revision), 1);
      const renumbered = await sets.update(`${APPS}/controllerrevisions/s-1`, { ...made, revision: 2 });
      assert.equal(Number(renumbered.revision), 2);
    });

    it('where services lead', async () => {
      const endpoints = await loop('endpointslice-controller');
      const path = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
      const made = await endpoints.create(path, {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: {
          generateName: 'web-',
          labels: {
            'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
            'kubernetes.io/service-name': 'web',
          },
        },
        addressType: 'IPv4',
        endpoints: [],
        ports: [],
      });
      const endpoint = {
        addresses: ['198.51.100.7'],
        conditions: { ready: true, serving: true, terminating: false },
        nodeName: NODE,
        targetRef: { kind: 'Pod', namespace: 'default', name: 'p', uid: 'a' },
      };
      const ports = [{ name: '', port: 80, protocol: 'TCP' }];
      const updated = await endpoints.update(`${path}/${made.metadata.name}`, {
        ...made,
        endpoints: [endpoint],
        ports,
      });
      assert.deepEqual(updated.endpoints, [endpoint]);
      const legacy = await loop('endpoint-controller');
      const subsets = [{ addresses: [{ ip: '198.51.100.7', nodeName: NODE }], ports: [{ port: 80, protocol: 'TCP' }] }];
      const object = { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'web' }, subsets };
      assert.deepEqual((await legacy.create('/api/v1/namespaces/default/endpoints', object)).subsets, subsets);
    });

    it('a job, from its start to its end', async () => {
      const jobs = await loop('job-controller');
      const made = await cluster.admin.create('/apis/batch/v1/namespaces/default/jobs', {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'once' },
        spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } },
      });
      const path = '/apis/batch/v1/namespaces/default/jobs/once/status';
      const startTime = '2026-01-01T00:00:00Z';
      const counted = await jobs.update(path, {
        ...made,
        status: { startTime, active: 1, ready: 0, terminating: 0, uncountedTerminatedPods: {} },
      });
      assert.equal(counted.status.active, 1);
      const condition = (type) => ({ type, status: 'True', lastProbeTime: startTime, lastTransitionTime: startTime });
      const ended = await jobs.update(path, {
        ...counted,
        status: {
          startTime,
          completionTime: '2026-01-01T00:00:09Z',
          succeeded: 1,
          ready: 0,
          terminating: 0,
          uncountedTerminatedPods: {},
          conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
        },
      });
      assert.equal(ended.status.succeeded, 1);
    });

    it('nodes: annotated, tainted, and their pods sent away', async () => {
      const nodes = await loop('node-controller');
      await cluster.admin.create('/api/v1/nodes', node(NODE));
      const taints = [
        { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute', timeAdded: '2026-01-01T00:00:00Z' },
      ];
      const tainted = await nodes.patch(`/api/v1/nodes/${NODE}`, { spec: { taints } });
      assert.ok(tainted.spec.taints.some(({ effect }) => effect === 'NoExecute'));
      await cluster.admin.create(PODS, pod('lost', { nodeName: NODE }));
      const condition = { type: 'DisruptionTarget', status: 'True', reason: 'DeletionByTaintManager', message: 'm' };
      await nodes.patch(`${PODS}/lost/status`, {
        status: { conditions: [condition], '$setElementOrder/conditions': [{ type: 'DisruptionTarget' }] },
      });
      await nodes.remove(`${PODS}/lost`, { apiVersion: 'v1' });
      const annotation = { metadata: { annotations: { 'node.alpha.kubernetes.io/ttl': '0' } } };
      await (await loop('ttl-controller')).patch(`/api/v1/nodes/${NODE}`, annotation);
    });

    it('certificates: approved and signed', async () => {
      const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
      const made = await cluster.as('kubelet', form).create(path, nodeRequest);
      const loopOf = await loop('certificate-controller');
      const review = await loopOf.create('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        metadata: {},
        spec: {
          user: made.spec.username,
          groups: made.spec.groups,
          resourceAttributes: {
            group: 'certificates.k8s.io',
            resource: 'certificatesigningrequests',
            verb: 'create',
            subresource: 'selfnodeclient',
            version: '*',
          },
        },
      });
      assert.equal(review.kind, 'SubjectAccessReview');
      const { name } = made.metadata;
      const conditions = [{ type: 'Approved', status: 'True', reason: 'AutoApproved', message: 'self' }];
      const approved = await loopOf.update(`${path}/${name}/approval`, { ...made, status: { conditions } });
      const pem = `-----BEGIN CERTIFICATE-----\n${'AAAA'.repeat(4)}\n-----END CERTIFICATE-----\n`;
      const certificate = Buffer.from(pem).toString('base64');
      const status = { ...approved.status, certificate };
      const signed = await loopOf.update(`${path}/${name}/status`, { ...approved, status }, { expected: [200, 422] });
      assert.ok(signed.kind === 'Status' || signed.status.certificate === certificate);
    });
  });
}

const lamps = definition({ plural: 'lamps', kind: 'Lamp' });
