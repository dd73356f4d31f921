import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PersistentVolume } from '@binnacle/client/kinds/core/v1';
import * as fc from 'fast-check';
import { anyFaults, randomRuns, Simulation, type SimulationFaults } from '../testing/index.js';

const controllers = 'persistentvolume-protection-controller';
const volume: PersistentVolume = {
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'a' },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/a' } },
};

describe('the loop that protects volumes', () => {
  for (const faults of [
    {},
    { watchDelay: 5000 },
    { restartAfterWrites: true },
    { conflicts: 0.3, failedWrites: 0.3 },
  ]) {
    it(`keeps a bound volume, ${Object.keys(faults).join(' and ') || 'without faults'}`, async () => {
      const given: SimulationFaults = faults;
      await using simulation = await Simulation.start({ controllers, faults: given });
      const volumes = simulation.client.resource(PersistentVolume);
      const setPhase = async (phase: string) =>
        volumes.status.patch('a', { type: 'merge', body: { status: { phase } } });
      await volumes.create(volume);
      await setPhase('Bound');
      await volumes.delete('a');
      await simulation.advance(60_000);
      assert.equal((await volumes.list()).items.length, 1);
      await setPhase('Released');
      await simulation.advance(600_000);
      assert.equal((await volumes.list()).items.length, 0);
      if (faults.conflicts === undefined) assert.deepEqual(simulation.log.counts(), { 'update persistentvolumes': 1 });
    });
  }

  it('never lets a bound volume go, through any history', async () => {
    const step = fc.record({
      act: fc.constantFrom('Available', 'Bound', 'Released', 'delete'),
      pause: fc.constantFrom(0, 1000, 6000),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 3, maxLength: 8 }),
        anyFaults,
        fc.nat(),
        async (steps, faults, seed) => {
          let phase = 'Available';
          let isDeleted = false;
          await using simulation = await Simulation.start({
            controllers,
            seed,
            check: async (client) => {
              const { items } = await client.resource(PersistentVolume).list();
              assert.ok(items.length === 1 || (isDeleted && phase !== 'Bound'), `a ${phase} volume is gone`);
            },
          });
          const volumes = simulation.client.resource(PersistentVolume);
          await volumes.create(volume);
          await simulation.advance(10_000);
          simulation.faults = faults;
          for (const { act, pause } of steps) {
            if ((await volumes.list()).items.length === 0) break;
            if (act === 'delete') {
              isDeleted = true;
              await volumes.delete('a');
            } else {
              phase = act;
              await volumes.status.patch('a', { type: 'merge', body: { status: { phase } } });
            }
            await simulation.advance(pause);
          }
          simulation.faults = {};
          await simulation.advance(60_000);
          assert.equal((await volumes.list()).items.length, isDeleted && phase !== 'Bound' ? 0 : 1);
          simulation.log.clear();
          await simulation.advance(600_000);
          assert.deepEqual(simulation.log.counts(), {});
        },
      ),
      randomRuns(1),
    );
  });
});
