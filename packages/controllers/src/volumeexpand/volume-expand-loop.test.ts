import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import { StorageClass } from '@binnacle/client/kinds/storage/v1';
import { Simulation, type SimulationFaults } from '../testing/index.js';
import { RESIZER } from './plan.js';

const controllers = 'persistentvolume-expander-controller,persistentvolume-binder-controller';

describe('the loop that expands volumes', () => {
  for (const faults of [
    {},
    { watchDelay: 5000 },
    { restartAfterWrites: true },
    { conflicts: 0.3, failedWrites: 0.3, lostAnswers: 0.2 },
  ]) {
    it(`names the driver that expands, ${Object.keys(faults).join(' and ') || 'without faults'}`, async () => {
      const given: SimulationFaults = faults;
      await using simulation = await Simulation.start({ controllers, faults: given });
      const { client } = simulation;
      const claims = client.resource(PersistentVolumeClaim).namespace('default');
      const accessModes = ['ReadWriteOnce'];
      await client.resource(StorageClass).create({
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name: 'slow' },
        provisioner: 'kubernetes.io/aws-ebs',
        allowVolumeExpansion: true,
      });
      await client.resource(PersistentVolume).create({
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: 'a' },
        spec: {
          capacity: { storage: '1Gi' },
          accessModes,
          storageClassName: 'slow',
          awsElasticBlockStore: { volumeID: 'v' },
        },
      });
      await claims.create({
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'data' },
        spec: { accessModes, storageClassName: 'slow', resources: { requests: { storage: '1Gi' } } },
      });
      await simulation.advance(60_000);
      simulation.log.clear();
      await claims.patch('data', { type: 'merge', body: { spec: { resources: { requests: { storage: '2Gi' } } } } });
      await simulation.advance(60_000);
      assert.equal((await claims.get('data')).metadata.annotations?.[RESIZER], 'ebs.csi.aws.com');
      if (Object.keys(faults).length === 0) {
        assert.deepEqual(simulation.log.counts(), { 'create events': 1, 'patch persistentvolumeclaims/status': 1 });
      }
    });
  }
});
