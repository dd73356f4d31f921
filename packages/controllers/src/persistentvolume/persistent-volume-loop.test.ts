import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { DynamicClient } from '@binnacle/client/dynamic';
import { PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import { StorageClass } from '@binnacle/client/kinds/storage/v1';
import { seededRandom } from '@binnacle/apimachinery/clock';
import { randomRuns, Simulation, type SimulationFaults } from '../testing/index.js';
import { claim, storageClass, volume } from './persistentvolume.testing.js';
import { HOST_PATH } from './plugins.js';
import { BIND_COMPLETED, hasAnnotation } from '../volumes/index.js';

const controllers = [
  'persistentvolume-binder-controller',
  'persistentvolume-protection-controller',
  'persistentvolumeclaim-protection-controller',
].join();

const volumes = ({ client }: { readonly client: DynamicClient }) => client.resource(PersistentVolume);
const claims = ({ client }: { readonly client: DynamicClient }) =>
  client.resource(PersistentVolumeClaim).namespace('default');

async function create(simulation: Simulation, ...objects: (PersistentVolume | PersistentVolumeClaim)[]): Promise<void> {
  for (const { status: _, ...object } of objects) {
    const { uid: __, ...metadata } = object.metadata;
    if (object.kind === 'PersistentVolume') await volumes(simulation).create({ ...object, metadata });
    else await claims(simulation).create({ ...object, metadata });
  }
}

/** No two claims have the same volume, and a volume belongs to the claim that has it. */
async function neverShared(client: DynamicClient): Promise<void> {
  const bound = (await claims({ client }).list()).items.filter((each) => hasAnnotation(each, BIND_COMPLETED));
  const byName = new Map((await volumes({ client }).list()).items.map((each) => [each.metadata.name, each]));
  const names = bound.map(({ spec }) => spec?.volumeName);
  assert.equal(new Set(names).size, names.length, 'two claims have the same volume');
  for (const { metadata, spec } of bound) {
    assert.equal(
      byName.get(spec?.volumeName)?.spec?.claimRef?.uid,
      metadata.uid,
      `the volume of ${metadata.name ?? ''}`,
    );
  }
}

const phases = async (simulation: Simulation) => ({
  volumes: (await volumes(simulation).list()).items.map(
    ({ metadata, status }) => `${metadata.name ?? ''} ${status?.phase ?? ''}`,
  ),
  claims: (await claims(simulation).list()).items.map(
    ({ metadata, status }) => `${metadata.name ?? ''} ${status?.phase ?? ''}`,
  ),
});

describe('the loop that binds claims and volumes', () => {
  const faulty: readonly SimulationFaults[] = [
    {},
    { watchDelay: 5000 },
    { restartAfterWrites: true },
    { conflicts: 0.3, failedWrites: 0.2, lostAnswers: 0.2 },
  ];
  for (const faults of faulty) {
    const what = Object.keys(faults).join(' and ') || 'without faults';
    it(`binds each claim to one volume, ${what}`, async () => {
      await using simulation = await Simulation.start({ controllers, faults, check: neverShared });
      await create(simulation, volume('a'), volume('b'), volume('d'), claim('x'), claim('y'));
      await simulation.advance(120_000);
      assert.deepEqual((await phases(simulation)).claims, ['x Bound', 'y Bound']);
      if (Object.keys(faults).length === 0) {
        assert.deepEqual(simulation.log.counts(), {
          'update persistentvolumeclaims': 2,
          'update persistentvolumeclaims/status': 2,
          'update persistentvolumes': 2,
          'update persistentvolumes/status': 5,
        });
      }
      simulation.log.clear();
      await simulation.advance(3_600_000);
      assert.deepEqual(simulation.log.counts(), {});
    });
  }

  it('gives a volume that comes late to the claim that waits, and retains it', async () => {
    await using simulation = await Simulation.start({ controllers, check: neverShared });
    await create(simulation, claim('x'));
    await simulation.advance(20_000);
    await create(simulation, volume('a'));
    await simulation.advance(5000);
    assert.deepEqual(await phases(simulation), { volumes: ['a Bound'], claims: ['x Bound'] });
    await claims(simulation).delete('x');
    await simulation.advance(5000);
    assert.deepEqual(await phases(simulation), { volumes: ['a Released'], claims: [] });
  });

  for (const faults of faulty) {
    it(`provisions and deletes simulated volumes, ${Object.keys(faults).join(' and ') || 'without faults'}`, async () => {
      await using simulation = await Simulation.start({
        controllers,
        settings: { enableHostPathProvisioner: true },
        faults,
      });
      await simulation.client.resource(StorageClass).create(storageClass('slow', { provisioner: HOST_PATH }));
      await create(simulation, claim('x'), claim('y'));
      await simulation.advance(300_000);
      assert.deepEqual((await phases(simulation)).claims, ['x Bound', 'y Bound']);
      assert.equal((await volumes(simulation).list()).items.length, 2);
      await claims(simulation).delete('x');
      await simulation.advance(300_000);
      const [left, ...others] = (await volumes(simulation).list()).items;
      assert.deepEqual([left?.spec?.claimRef?.name, others.length], ['y', 0]);
    });
  }

  it('says that a claim is lost, and finds it again', async () => {
    await using simulation = await Simulation.start({ controllers });
    await create(simulation, volume('a'), claim('x'));
    await simulation.advance(5000);
    await volumes(simulation).delete('a');
    await volumes(simulation).patch('a', { type: 'merge', body: { metadata: { finalizers: null } } });
    await simulation.advance(5000);
    assert.deepEqual(await phases(simulation), { volumes: [], claims: ['x Lost'] });
    await create(simulation, volume('a'));
    await simulation.advance(5000);
    assert.deepEqual(await phases(simulation), { volumes: ['a Bound'], claims: ['x Bound'] });
  });

  it('never shares a volume, whatever happens', async () => {
    await fc.assert(fc.asyncProperty(fc.nat(), playHistory), randomRuns(2));
  });
});

/** Creates and deletes volumes and claims at random, with faults. In the end no volume is free while a claim waits. */
async function playHistory(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const faults = { watchDelay: 2000, conflicts: 0.2, failedWrites: 0.1, lostAnswers: 0.1, brokenWatches: 0.1 };
  await using simulation = await Simulation.start({ controllers, seed, faults, check: neverShared });
  for (let step = 0; step < 12; step++) {
    await randomStep(simulation, () => random.number(), step);
    await simulation.advance(random.number() * 4000);
  }
  simulation.faults = {};
  await simulation.advance(600_000);
  const { volumes: ofVolumes, claims: ofClaims } = await phases(simulation);
  const waits = ofClaims.some((each) => each.endsWith('Pending'));
  assert.equal(waits && ofVolumes.some((each) => each.endsWith('Available')), false);
  simulation.log.clear();
  await simulation.advance(600_000);
  assert.deepEqual(simulation.log.counts(), {});
}

async function randomStep(simulation: Simulation, random: () => number, step: number): Promise<void> {
  const [claimed] = (await claims(simulation).list()).items;
  const chance = random();
  if (chance < 0.35) return create(simulation, volume(`v${step}`));
  if (chance < 0.7 || claimed === undefined) return create(simulation, claim(`c${step}`));
  if (chance < 0.85) return void (await claims(simulation).delete(claimed.metadata.name ?? ''));
  simulation.restart();
}
