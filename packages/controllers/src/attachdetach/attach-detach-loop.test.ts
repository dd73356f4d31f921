import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DynamicClient } from '@binnacle/client/dynamic';
import { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';
import { VolumeAttachment } from '@binnacle/client/kinds/storage/v1';
import { Simulation, type SimulationFaults } from '../testing/index.js';
import { claim, node, pod, volume } from './attachdetach.testing.js';

const controllers = 'persistentvolume-attach-detach-controller,serviceaccount-controller';

/** A bound volume, without the loop that binds. */
async function createVolume({ client }: Simulation, name: string): Promise<void> {
  const claims = client.resource(PersistentVolumeClaim).namespace('default');
  const { status, metadata: _, ...rest } = claim(name);
  const { metadata } = await claims.create({ ...rest, metadata: { name } });
  const { spec, ...others } = volume(name);
  const claimRef = { namespace: 'default', name, uid: metadata.uid ?? '' };
  await client.resource(PersistentVolume).create({ ...others, spec: { ...spec, claimRef } });
  await claims.status.patch(name, { type: 'merge', body: { status: { phase: status?.phase ?? '' } } });
}

async function createPod({ client }: Simulation, name: string, nodeName: string, claimName: string): Promise<void> {
  const { metadata: _, ...rest } = pod(name, nodeName, claimName);
  await client
    .resource(Pod)
    .namespace('default')
    .create({ ...rest, metadata: { name } });
}

async function createNode({ client }: Simulation, name: string): Promise<void> {
  const { metadata, status } = node(name);
  const { uid: _, ...named } = metadata;
  await client.resource(Node).create({ apiVersion: 'v1', kind: 'Node', metadata: named });
  await client.resource(Node).status.patch(name, {
    type: 'merge',
    body: { status: { conditions: [...(status?.conditions ?? [])].map((each) => ({ ...each })) } },
  });
}

const attachments = ({ client }: { readonly client: DynamicClient }) => client.resource(VolumeAttachment);
const deletePod = async ({ client }: Simulation, name: string) =>
  client.resource(Pod).namespace('default').delete(name, { gracePeriodSeconds: 0 });
const nodeStatus = async ({ client }: Simulation, name: string) => (await client.resource(Node).get(name)).status ?? {};

/** As an external attacher. */
async function attachAll(simulation: Simulation): Promise<void> {
  for (const { metadata, status } of (await attachments(simulation).list()).items) {
    if (status?.attached === true) continue;
    await attachments(simulation).status.patch(metadata.name ?? '', {
      type: 'merge',
      body: { status: { attached: true } },
    });
  }
}

/** No volume that only one node may have is on two. */
async function neverTwice(client: DynamicClient): Promise<void> {
  const names = (await attachments({ client }).list()).items.map(({ spec }) => spec.source.persistentVolumeName);
  assert.equal(new Set(names).size, names.length, 'a volume has two attachments');
}

describe('the loop that attaches volumes', () => {
  const faulty: readonly SimulationFaults[] = [
    {},
    { watchDelay: 5000 },
    { restartAfterWrites: true },
    { conflicts: 0.3, failedWrites: 0.2, lostAnswers: 0.2 },
  ];
  for (const faults of faulty) {
    it(`moves a volume from node to node, ${Object.keys(faults).join(' and ') || 'without faults'}`, async () => {
      await using simulation = await Simulation.start({ controllers, check: neverTwice });
      await simulation.advance(20_000);
      simulation.faults = faults;
      for (const name of ['n1', 'n2']) await createNode(simulation, name);
      await createVolume(simulation, 'a');
      await createPod(simulation, 'p', 'n1', 'a');
      await simulation.advance(60_000);
      await attachAll(simulation);
      await simulation.advance(60_000);
      const { volumesAttached } = await nodeStatus(simulation, 'n1');
      assert.deepEqual(volumesAttached, [{ name: 'kubernetes.io/csi/csi.example.com^handle-a', devicePath: '' }]);

      const volumesInUse = [volumesAttached?.[0]?.name ?? ''];
      await simulation.client.resource(Node).status.patch('n1', { type: 'merge', body: { status: { volumesInUse } } });
      await createPod(simulation, 'q', 'n2', 'a');
      await deletePod(simulation, 'p');
      await simulation.advance(60_000);
      assert.deepEqual(
        (await attachments(simulation).list()).items.map(({ spec }) => spec.nodeName),
        ['n1'],
      );

      await simulation.client
        .resource(Node)
        .status.patch('n1', { type: 'merge', body: { status: { volumesInUse: null } } });
      await simulation.advance(60_000);
      assert.deepEqual(
        (await attachments(simulation).list()).items.map(({ spec }) => spec.nodeName),
        ['n2'],
      );
      assert.equal((await nodeStatus(simulation, 'n1')).volumesAttached, undefined);
      await attachAll(simulation);
      await simulation.advance(60_000);
      assert.equal((await nodeStatus(simulation, 'n2')).volumesAttached?.length, 1);
      simulation.log.clear();
      await simulation.advance(3_600_000);
      assert.deepEqual(simulation.log.counts(), {});
    });
  }

  it('needs few requests', async () => {
    await using simulation = await Simulation.start({ controllers });
    await simulation.advance(20_000);
    simulation.log.clear();
    await createNode(simulation, 'n1');
    await createVolume(simulation, 'a');
    await createPod(simulation, 'p', 'n1', 'a');
    await simulation.advance(1000);
    await attachAll(simulation);
    await simulation.advance(1000);
    await deletePod(simulation, 'p');
    await simulation.advance(1000);
    assert.deepEqual(simulation.log.counts(), {
      'create volumeattachments': 1,
      'patch nodes/status': 2,
      'create events': 1,
      'delete volumeattachments': 1,
    });
  });

  it('takes a volume from a node that is gone', async () => {
    await using simulation = await Simulation.start({ controllers });
    await createNode(simulation, 'n1');
    await createVolume(simulation, 'a');
    await simulation.advance(20_000);
    await createPod(simulation, 'p', 'n1', 'a');
    await simulation.advance(1000);
    await attachAll(simulation);
    await simulation.advance(1000);
    await simulation.client.resource(Node).delete('n1');
    await simulation.advance(60_000);
    assert.equal((await attachments(simulation).list()).items.length, 1);
    await deletePod(simulation, 'p');
    await simulation.advance(60_000);
    assert.equal((await attachments(simulation).list()).items.length, 0);
  });
});
