import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { pick, seededRandom } from '@binnacle/apimachinery/clock';
import type { DynamicClient } from '@binnacle/client/dynamic';
import { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';
import { VolumeAttachment } from '@binnacle/client/kinds/storage/v1';
import { randomRuns, Simulation, type SimulationFaults } from '../testing/index.js';
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

  it('forgets which volumes a lost node used once it has none', async () => {
    await using simulation = await Simulation.start({ controllers });
    await createNode(simulation, 'n1');
    await createVolume(simulation, 'a');
    await simulation.advance(20_000);
    await createPod(simulation, 'p', 'n1', 'a');
    await simulation.advance(1000);
    const [{ metadata, ...attachment } = assert.fail()] = (await attachments(simulation).list()).items;
    await simulation.client.resource(Node).delete('n1');
    await deletePod(simulation, 'p');
    await simulation.advance(1000);
    assert.equal((await attachments(simulation).list()).items.length, 0);
    await attachments(simulation).create({ ...attachment, metadata: { name: metadata.name ?? '' } });
    for (const [time, left] of [
      [5 * 60_000, 1],
      [2 * 60_000, 0],
    ] as const) {
      await simulation.advance(time);
      assert.equal((await attachments(simulation).list()).items.length, left);
    }
  });

  it('attaches no volume twice, whatever happens', async () => {
    await fc.assert(fc.asyncProperty(fc.nat(), playHistory), randomRuns(2));
  });
});

/** Moves pods between two nodes at random, with faults. In the end each volume is where its pod is. */
async function playHistory(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const faults = { watchDelay: 2000, conflicts: 0.2, failedWrites: 0.1, lostAnswers: 0.1, brokenWatches: 0.1 };
  await using simulation = await Simulation.start({ controllers, seed, check: neverTwice });
  await simulation.advance(20_000);
  for (const name of ['n1', 'n2']) await createNode(simulation, name);
  for (const name of ['a', 'b']) await createVolume(simulation, name);
  simulation.faults = faults;
  const places = new Map<string, string>();
  for (let step = 0; step < 10; step++) {
    const name = pick(random, ['a', 'b']) ?? 'a';
    const chance = random.number();
    if (chance < 0.2) await attachAll(simulation);
    else if (chance < 0.3) simulation.restart();
    else if (places.delete(name)) await deletePod(simulation, `p-${name}`);
    else {
      places.set(name, pick(random, ['n1', 'n2']) ?? 'n1');
      await createPod(simulation, `p-${name}`, places.get(name) ?? 'n1', name);
    }
    await simulation.advance(random.number() * 5000);
  }
  simulation.faults = {};
  await simulation.advance(600_000);
  const { items } = await attachments(simulation).list();
  const found = items.map(({ spec }) => [spec.source.persistentVolumeName, spec.nodeName] as const);
  assert.deepEqual(new Map(found), places);
}
