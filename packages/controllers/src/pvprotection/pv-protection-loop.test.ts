import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PersistentVolume } from '@binnacle/client/kinds/core/v1';
import { Simulation, type SimulationFaults } from '../testing/index.js';

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
});
