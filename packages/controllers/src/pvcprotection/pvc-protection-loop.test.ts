import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';
import * as fc from 'fast-check';
import { anyFaults, randomRuns, Simulation, type SimulationFaults } from '../testing/index.js';

const controllers = 'persistentvolumeclaim-protection-controller,serviceaccount-controller';

async function createClaim({ client }: Simulation): Promise<void> {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  const claim: PersistentVolumeClaim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data' },
    spec,
  };
  await client.resource(PersistentVolumeClaim).namespace('default').create(claim);
}

async function createPod({ client }: Simulation): Promise<void> {
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];
  const spec = { nodeName: 'n1', containers: [{ name: 'c', image: 'img' }], volumes };
  const pod: Pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'db' }, spec };
  await client.resource(Pod).namespace('default').create(pod);
}

const claims = async ({ client }: Simulation) => (await client.resource(PersistentVolumeClaim).list()).items.length;
const deleteClaim = async ({ client }: Simulation) =>
  client.resource(PersistentVolumeClaim).namespace('default').delete('data');

describe('the loop that protects claims', () => {
  it('lets an unused claim go', async () => {
    await using simulation = await Simulation.start({ controllers });
    await simulation.advance(1000);
    await createClaim(simulation);
    await deleteClaim(simulation);
    await simulation.advance(1000);
    assert.equal(await claims(simulation), 0);
  });

  for (const faults of [
    {},
    { watchDelay: 5000 },
    { restartAfterWrites: true },
    { conflicts: 0.3, failedWrites: 0.3 },
  ]) {
    it(`keeps a claim until its pod is gone, ${Object.keys(faults).join(' and ') || 'without faults'}`, async () => {
      const given: SimulationFaults = faults;
      await using simulation = await Simulation.start({ controllers, faults: given });
      await simulation.advance(20_000);
      await createClaim(simulation);
      await createPod(simulation);
      await deleteClaim(simulation);
      await simulation.advance(60_000);
      assert.equal(await claims(simulation), 1);
      await simulation.client.resource(Pod).namespace('default').delete('db', { gracePeriodSeconds: 0 });
      await simulation.advance(600_000);
      assert.equal(await claims(simulation), 0);
    });
  }

  it('never lets a claim go that a pod has used since before, through any history', async () => {
    const step = fc.record({
      act: fc.constantFrom('claim', 'pod', 'delete claim', 'delete pod'),
      pause: fc.constantFrom(0, 1000, 6000),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 4, maxLength: 9 }),
        anyFaults,
        fc.nat(),
        async (steps, faults, seed) => {
          let isKept = false;
          await using simulation = await Simulation.start({
            controllers,
            seed,
            check: async (client) => {
              const { items } = await client.resource(PersistentVolumeClaim).list();
              assert.ok(items.length === 1 || !isKept, 'a claim in use is gone');
            },
          });
          const pods = simulation.client.resource(Pod).namespace('default');
          await simulation.advance(20_000);
          simulation.faults = faults;
          for (const { act, pause } of steps) {
            const [isClaim, isPod] = [(await claims(simulation)) > 0, (await pods.list()).items.length > 0];
            if (act === 'claim' && !isClaim) await createClaim(simulation);
            if (act === 'pod' && isClaim && !isPod) {
              const { items } = await simulation.client.resource(PersistentVolumeClaim).list();
              await createPod(simulation);
              isKept = items[0]?.metadata.deletionTimestamp === undefined;
            }
            if (act === 'delete claim' && isClaim) await deleteClaim(simulation);
            if (act === 'delete pod' && isPod) {
              isKept = false;
              await pods.delete('db', { gracePeriodSeconds: 0 });
            }
            await simulation.advance(pause);
          }
          simulation.faults = {};
          await simulation.advance(600_000);
          const { items } = await simulation.client.resource(PersistentVolumeClaim).list();
          const isUsed = (await pods.list()).items.length > 0;
          assert.ok(items.every(({ metadata }) => metadata.deletionTimestamp === undefined || isUsed));
          simulation.log.clear();
          await simulation.advance(600_000);
          assert.deepEqual(simulation.log.counts(), {});
        },
      ),
      randomRuns(1),
    );
  });
});
