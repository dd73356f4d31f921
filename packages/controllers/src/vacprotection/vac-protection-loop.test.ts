import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import { VolumeAttributesClass } from '@binnacle/client/kinds/storage/v1';
import { Simulation, type SimulationFaults } from '../testing/index.js';

const controllers = 'volumeattributesclass-protection-controller';
const gold: VolumeAttributesClass = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'VolumeAttributesClass',
  metadata: { name: 'gold' },
  driverName: 'csi.example.com',
  parameters: { iops: '1000' },
};
const claim: PersistentVolumeClaim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data' },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    volumeAttributesClassName: 'gold',
  },
};

describe('the loop that protects classes of volume attributes', () => {
  for (const faults of [
    {},
    { watchDelay: 5000 },
    { restartAfterWrites: true },
    { conflicts: 0.3, failedWrites: 0.3 },
  ]) {
    it(`keeps a class while a claim has it, ${Object.keys(faults).join(' and ') || 'without faults'}`, async () => {
      const given: SimulationFaults = faults;
      await using simulation = await Simulation.start({ controllers, faults: given });
      const classes = simulation.client.resource(VolumeAttributesClass);
      const claims = simulation.client.resource(PersistentVolumeClaim).namespace('default');
      await classes.create(gold);
      await claims.create(claim);
      await simulation.advance(60_000);
      await classes.delete('gold');
      await simulation.advance(60_000);
      assert.equal((await classes.list()).items.length, 1);
      await claims.patch('data', { type: 'merge', body: { metadata: { finalizers: null } } });
      await claims.delete('data');
      await simulation.advance(600_000);
      assert.equal((await classes.list()).items.length, 0);
      if (faults.conflicts === undefined)
        assert.deepEqual(simulation.log.counts(), { 'update volumeattributesclasses': 2 });
    });
  }
});
