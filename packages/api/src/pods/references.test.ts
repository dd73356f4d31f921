import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PersistentVolume } from '../generated/types/core-v1.js';
import { configMapNames, projectsToken, secretNames, volumeSecrets } from './references.js';

test('secrets and config maps are found in every field that can name them', () => {
  const spec = {
    imagePullSecrets: [{ name: 'pull' }, {}],
    initContainers: [
      { name: 'i', envFrom: [{ secretRef: { name: 'whole' } }, { configMapRef: { name: 'settings' } }] },
    ],
    containers: [{ name: 'c', env: [{ name: 'E', valueFrom: { secretKeyRef: { name: 'key', key: 'k' } } }] }],
    volumes: [
      { name: 'a', secret: { secretName: 'mounted' } },
      {
        name: 'b',
        projected: { sources: [{ secret: { name: 'projected' } }, { serviceAccountToken: { path: 't' } }] },
      },
      { name: 'c', azureFile: { secretName: 'azure', shareName: 's' } },
      { name: 'd', csi: { driver: 'd', nodePublishSecretRef: { name: 'publish' } } },
      { name: 'e', iscsi: { targetPortal: 'p', iqn: 'q', lun: 0, secretRef: { name: 'iscsi' } } },
      { name: 'f', configMap: { name: 'files' } },
      { name: 'g', emptyDir: {} },
    ],
  };
  const secrets = ['pull', '', 'key', 'whole', 'mounted', 'projected', 'azure', 'publish', 'iscsi'];
  assert.deepEqual(secretNames(spec), secrets);
  assert.deepEqual(configMapNames(spec), ['settings', 'files']);
  assert.equal(projectsToken(spec), true);
  assert.deepEqual([secretNames({}), configMapNames({}), projectsToken({})], [[], [], false]);
});

test("a volume's secrets default to the namespace of its claim", () => {
  const volume = (spec: PersistentVolume['spec']) =>
    volumeSecrets({ spec: { ...spec, claimRef: { namespace: 'own', name: 'c' } } });
  assert.deepEqual(volume({ azureFile: { secretName: 's', shareName: 'x' } }), [{ namespace: 'own', name: 's' }]);
  assert.deepEqual(volume({ azureFile: { secretName: 's', shareName: 'x', secretNamespace: 'n' } }), [
    { namespace: 'n', name: 's' },
  ]);
  assert.deepEqual(volume({ cephfs: { monitors: [], secretRef: { name: 's' } } }), [{ namespace: 'own', name: 's' }]);
  const controllers = { name: 's', namespace: 'n' };
  const csi = { driver: 'd', volumeHandle: 'h', controllerExpandSecretRef: controllers };
  assert.deepEqual(volume({ csi: { ...csi, nodeExpandSecretRef: { name: 'e', namespace: 'n' } } }), [
    { namespace: 'n', name: 'e' },
  ]);
});
