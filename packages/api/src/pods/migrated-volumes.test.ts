import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PersistentVolumeSpec, Volume } from '../generated/types/core-v1.js';
import { driverOfPlugin, migrationOf } from './migrated-volumes.js';

describe('migrations', () => {
  const volumes: readonly [PersistentVolumeSpec | Volume, string | undefined, string | undefined][] = [
    [{ awsElasticBlockStore: { volumeID: 'v' } }, 'kubernetes.io/aws-ebs', 'ebs.csi.aws.com'],
    [{ name: 'data', cinder: { volumeID: 'v' } }, 'kubernetes.io/cinder', 'cinder.csi.openstack.org'],
    [{ nfs: { server: 's', path: '/' } }, undefined, undefined],
    [{ csi: { driver: 'd', volumeHandle: 'h' } }, undefined, undefined],
  ];
  for (const [volume, plugin, driver] of volumes) {
    it(`of ${Object.keys(volume).join()}: ${plugin ?? 'none'}`, () => {
      const found = migrationOf(volume);
      assert.deepEqual([found?.plugin, found?.driver], [plugin, driver]);
      assert.equal(driverOfPlugin(plugin ?? 'kubernetes.io/nfs'), driver);
    });
  }
});
