import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  type Pod,
  ServiceAccount,
} from '@binnacle/client/kinds/core/v1';
import { StorageClass } from '@binnacle/client/kinds/storage/v1';
import { claimObject, classObject, volumeObject, withClaim } from '../testing/index.js';
import { ScheduledCluster } from './scheduler.testing.js';

const isBound = ({ spec }: Pod) => spec?.nodeName !== undefined;
const SELECTED_NODE = 'volume.kubernetes.io/selected-node';

/** Two nodes, a claim `c` of a class that waits for a node, and a pod that uses it. */
async function start(provisioner: string, volume?: PersistentVolume): Promise<ScheduledCluster> {
  const cluster = await ScheduledCluster.start();
  const { client } = cluster;
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } } as const;
  await client.resource(ServiceAccount).namespace('default').create(account);
  for (const name of ['n1', 'n2']) await cluster.addNode(name, { labels: { zone: name } });
  await client.resource(StorageClass).create(classObject('slow', { provisioner }));
  if (volume !== undefined) {
    const { status = {}, ...created } = volume;
    const { metadata } = await client.resource(PersistentVolume).create(created);
    await client.resource(PersistentVolume).status.patch(metadata.name ?? '', { type: 'merge', body: { status } });
  }
  const { uid: _, ...metadata } = claimObject('c').metadata;
  await client
    .resource(PersistentVolumeClaim)
    .namespace('default')
    .create({ ...claimObject('c'), metadata });
  await cluster.addPod('p', { spec: withClaim('c') });
  return cluster;
}

async function eventually<T>({ clock }: ScheduledCluster, read: () => Promise<T | undefined>): Promise<T> {
  for (let step = 0; step < 1000; step++) {
    const value = await read();
    if (value !== undefined) return value;
    await clock.advance(100);
  }
  throw new Error('nothing came of it');
}

const claims = ({ client }: ScheduledCluster) => client.resource(PersistentVolumeClaim).namespace('default');

/** The volume binder's part. */
async function bindClaim(cluster: ScheduledCluster, volumeName: string): Promise<void> {
  const metadata = { annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } };
  await claims(cluster).patch('c', { type: 'merge', body: { metadata, spec: { volumeName } } });
}

/** The node that the scheduler has chosen for the claim. */
const selectedNode = (cluster: ScheduledCluster) =>
  eventually(cluster, async () => (await claims(cluster).get('c')).metadata.annotations?.[SELECTED_NODE]);

describe('the scheduler, with a claim that waits for a node', () => {
  const local: NonNullable<PersistentVolume['spec']> = {
    local: { path: '/v' },
    nodeAffinity: {
      required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['n2'] }] }] },
    },
  };

  it('reserves a volume that the node reaches, and binds the pod when the claim is bound', async () => {
    await using cluster = await start('kubernetes.io/no-provisioner', volumeObject('v', local));
    const reserved = await eventually(cluster, async () => {
      const volume = await cluster.client.resource(PersistentVolume).get('v');
      return volume.spec?.claimRef === undefined ? undefined : volume;
    });
    assert.deepEqual(
      [reserved.spec?.claimRef?.name, reserved.metadata.annotations?.['pv.kubernetes.io/bound-by-controller']],
      ['c', 'yes'],
    );
    await cluster.clock.advance(5000);
    assert.ok(!isBound(await cluster.until('p', () => true)));
    await bindClaim(cluster, 'v');
    assert.equal((await cluster.until('p', isBound)).spec?.nodeName, 'n2');
    assert.deepEqual(
      cluster.writes.filter((write) => !write.includes('/events')),
      ['PUT /api/v1/persistentvolumes/v', 'POST /api/v1/namespaces/default/pods/p/binding'],
    );
  });

  it('selects a node for the provisioner, and another one if that fails', async () => {
    await using cluster = await start('csi.example.com');
    const first = await selectedNode(cluster);
    const away = { type: 'merge', body: { spec: { unschedulable: true } } } as const;
    await cluster.client.resource(Node).patch(first, away);
    const body = { metadata: { annotations: { [SELECTED_NODE]: null } } };
    await claims(cluster).patch('c', { type: 'merge', body });
    const second = await selectedNode(cluster);
    assert.notEqual(second, first);
    await cluster.client
      .resource(PersistentVolume)
      .create(volumeObject('made', { csi: { driver: 'd', volumeHandle: 'h' } }));
    await bindClaim(cluster, 'made');
    assert.equal((await cluster.until('p', isBound)).spec?.nodeName, second);
  });

  it('gives up after ten minutes, and tries again', async () => {
    await using cluster = await start('csi.example.com');
    await selectedNode(cluster);
    await cluster.clock.advance(600_000);
    const { status } = await cluster.until('p', (pod) => pod.status?.conditions !== undefined);
    assert.equal(status?.conditions?.[0]?.message, 'binding volumes: context deadline exceeded');
    await bindClaim(cluster, 'made');
    await cluster.client
      .resource(PersistentVolume)
      .create(volumeObject('made', { csi: { driver: 'd', volumeHandle: 'h' } }));
    await cluster.until('p', isBound);
  });

  it('ends with the scheduler', async () => {
    const cluster = await start('csi.example.com');
    await selectedNode(cluster);
    await cluster[Symbol.asyncDispose]();
    assert.deepEqual(cluster.reports, []);
  });
});
