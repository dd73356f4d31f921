import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PersistentVolumeSpec } from '@binnacle/client/kinds/core/v1';
import { driverOfPlugin, migratedPluginOf } from './csi-migration.js';

describe('in-tree plugins', () => {
  const specs: readonly [PersistentVolumeSpec, string | undefined, string | undefined][] = [
    [{ awsElasticBlockStore: { volumeID: 'v' } }, 'kubernetes.io/aws-ebs', 'ebs.csi.aws.com'],
    [{ cinder: { volumeID: 'v' } }, 'kubernetes.io/cinder', 'cinder.csi.openstack.org'],
    [{ nfs: { server: 's', path: '/' } }, undefined, undefined],
    [{ csi: { driver: 'd', volumeHandle: 'h' } }, undefined, undefined],
  ];
  for (const [spec, plugin, driver] of specs) {
    it(`of ${Object.keys(spec).join()}: ${plugin ?? 'none'}`, () => {
      const found = migratedPluginOf({ apiVersion: 'v1', kind: 'PersistentVolume', metadata: {}, spec });
      assert.deepEqual([found, found === undefined ? undefined : driverOfPlugin(found)], [plugin, driver]);
    });
  }
});
