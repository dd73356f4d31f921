import assert from 'node:assert/strict';
import { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '@binnacle/client/kinds/apps/v1';
import { PersistentVolume, PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';
import { StorageClass } from '@binnacle/client/kinds/storage/v1';
import { eventually, waitFor, waitForDeletion } from '@binnacle/client/testing';
import { nodeNames, PATIENT } from './cluster.mjs';
import { hasCondition, hasCounts, releasePatch, runsRelease, workload } from './objects.mjs';

const REVISION = 'deployment.kubernetes.io/revision';

/** A Deployment becomes available, is scaled, gets another release, goes back, and goes with all that it owns. */
export async function walkDeployment(cluster) {
  const of = await cluster.namespace('deployment');
  const [deployments, replicaSets, pods] = [Deployment, ReplicaSet, Pod].map(of);
  const comesTo = async (replicas, release, revision) => {
    const counts = { replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas };
    const isThere = hasCounts({ ...counts, unavailableReplicas: 0 });
    const { metadata } = await waitFor(deployments, 'web', isThere, PATIENT);
    assert.equal(metadata.annotations[REVISION], revision);
    await eventually(async () => {
      const { items } = await pods.list();
      assert.equal(items.length, replicas);
      assert.ok(items.every(runsRelease(release)));
    }, PATIENT);
  };

  await deployments.create(workload('Deployment', 'web', { replicas: 3 }));
  await comesTo(3, 1, '1');
  await deployments.scale.patch('web', { type: 'merge', body: { spec: { replicas: 4 } } });
  await comesTo(4, 1, '1');
  await deployments.patch('web', releasePatch(2));
  await comesTo(4, 2, '2');
  // As `kubectl rollout undo` does: the template of the older revision, whose ReplicaSet is taken again.
  await deployments.patch('web', releasePatch(1));
  await comesTo(4, 1, '3');
  const sets = (await replicaSets.list()).items.map(({ metadata, spec }) => [
    metadata.annotations[REVISION],
    spec.replicas,
  ]);
  assert.deepEqual(sets.sort(), [
    ['2', 0],
    ['3', 4],
  ]);
  await waitFor(deployments, 'web', hasCondition('Progressing', 'True', 'NewReplicaSetAvailable'), PATIENT);

  await deployments.delete('web', { propagationPolicy: 'Foreground' });
  await waitForDeletion(deployments, 'web', PATIENT);
  assert.deepEqual((await pods.list()).items, []);
}

/** A StatefulSet gets its pods in their order, with volumes of their own, another release, and gives the volumes back. */
export async function walkStatefulSet(cluster) {
  const of = await cluster.namespace('stateful');
  const [sets, pods, claims] = [StatefulSet, Pod, PersistentVolumeClaim].map(of);
  const volumes = cluster.client.resource(PersistentVolume);
  const names = ['db-0', 'db-1'];
  await cluster.client.resource(StorageClass).create({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'by-hand' },
    provisioner: 'kubernetes.io/no-provisioner',
    volumeBindingMode: 'WaitForFirstConsumer',
  });
  for (const name of names) await volumes.create(volumeOf(name));
  await sets.create(
    workload('StatefulSet', 'db', {
      replicas: 2,
      serviceName: 'db',
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' },
      volumeClaimTemplates: [claimTemplate],
    }),
  );
  await waitFor(sets, 'db', hasCounts({ readyReplicas: 2, availableReplicas: 2 }), PATIENT);
  assert.deepEqual((await pods.list()).items.map(({ metadata }) => metadata.name).sort(), names);
  const bound = (await claims.list()).items.map(({ metadata, status }) => `${metadata.name} ${status.phase}`);
  assert.deepEqual(bound.sort(), ['data-db-0 Bound', 'data-db-1 Bound']);

  await sets.patch('db', releasePatch(2));
  const { status } = await waitFor(sets, 'db', hasCounts({ readyReplicas: 2, updatedReplicas: 2 }), PATIENT);
  assert.equal(status.currentRevision, status.updateRevision);
  assert.ok((await pods.list()).items.every(runsRelease(2)));

  await sets.delete('db');
  for (const name of names) {
    await waitForDeletion(claims, `data-${name}`, PATIENT);
    await waitFor(volumes, name, ({ status }) => status.phase === 'Released', PATIENT);
  }
}

/** A DaemonSet has a pod on each node, and each gets the next release. */
export async function walkDaemonSet(cluster) {
  const of = await cluster.namespace('daemons');
  const sets = of(DaemonSet);
  const all = nodeNames.length;
  await sets.create(workload('DaemonSet', 'agent'));
  await waitFor(sets, 'agent', hasCounts({ desiredNumberScheduled: all, numberAvailable: all }), PATIENT);
  await sets.patch('agent', releasePatch(2));
  await waitFor(sets, 'agent', hasCounts({ updatedNumberScheduled: all, numberAvailable: all }), PATIENT);
  const pods = (await of(Pod).list()).items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  assert.deepEqual(pods.map(({ spec }) => spec.nodeName).sort(), nodeNames);
  assert.ok(pods.every(runsRelease(2)));
}

const claimTemplate = {
  metadata: { name: 'data' },
  spec: {
    storageClassName: 'by-hand',
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
  },
};

const volumeOf = (name) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
  spec: {
    storageClassName: 'by-hand',
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '1Gi' },
    hostPath: { path: `/nowhere/${name}` },
    persistentVolumeReclaimPolicy: 'Retain',
  },
});
