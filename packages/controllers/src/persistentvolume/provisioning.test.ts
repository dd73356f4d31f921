import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { claim, storageClass } from './persistentvolume.testing.js';
import { HOST_PATH } from './plugins.js';
import { planProvisioning } from './provisioning.js';
import { SELECTED_NODE } from '../volumes/index.js';

const enabled = { isHostPathEnabled: true, hasNode: () => false };

describe('planProvisioning', () => {
  const of = (provisioner: string) => storageClass('slow', { provisioner });
  const hostPath = of(HOST_PATH);
  const waiting = /^Waiting for a volume to be created either by the external provisioner '(.*)' or/;
  for (const [what, given, ofClass, isHostPathEnabled, provisioner, message] of [
    ['no class', claim('c'), undefined, true, undefined, 'storageclass.storage.k8s.io "slow" not found'],
    ['an external provisioner', claim('c'), of('csi.example.com'), true, 'csi.example.com', 'csi.example.com'],
    [
      'a migrated plugin',
      claim('c'),
      of('kubernetes.io/gce-pd'),
      true,
      'pd.csi.storage.gke.io',
      'pd.csi.storage.gke.io',
    ],
    [
      'none',
      claim('c'),
      of('kubernetes.io/no-provisioner'),
      true,
      undefined,
      'no volume plugin matched name: kubernetes.io/no-provisioner',
    ],
    [
      'a plugin without this',
      claim('c'),
      of('kubernetes.io/nfs'),
      true,
      undefined,
      'no provisionable volume plugin matched',
    ],
    [
      'disabled',
      claim('c'),
      hostPath,
      false,
      HOST_PATH,
      `Failed to create provisioner: provisioning in volume plugin "${HOST_PATH}" is disabled`,
    ],
    [
      'mount options',
      claim('c'),
      { ...hostPath, mountOptions: ['ro', 'soft'] },
      true,
      HOST_PATH,
      'Mount options are not supported by the provisioner but StorageClass "slow" has mount options [ro soft]',
    ],
    [
      'a lost node',
      claim('c', { metadata: { annotations: { [SELECTED_NODE]: 'n1' } } }),
      hostPath,
      true,
      HOST_PATH,
      'Failed to get target node: node "n1" not found',
    ],
    [
      'a block device',
      claim('c', { spec: { volumeMode: 'Block' } }),
      hostPath,
      true,
      HOST_PATH,
      `Failed to provision volume with StorageClass "slow": ${HOST_PATH} does not support block volume provisioning`,
    ],
    [
      'a copy',
      claim('c', { spec: { dataSource: { kind: 'PersistentVolumeClaim', name: 'd' } } }),
      hostPath,
      true,
      undefined,
      `plugin "${HOST_PATH}" is not a CSI plugin. Only CSI plugin can provision a claim with a datasource`,
    ],
    [
      'a directory',
      claim('c'),
      hostPath,
      true,
      HOST_PATH,
      `Successfully provisioned volume pvc-uid-c using ${HOST_PATH}`,
    ],
  ] as const) {
    it(what, () => {
      const plan = planProvisioning(given, 'slow', ofClass, { ...enabled, isHostPathEnabled });
      const text = waiting.exec(plan.event.message)?.[1] ?? plan.event.message;
      assert.deepEqual([plan.provisioner, text], [provisioner, message]);
    });
  }

  it('makes the volume of a simulated directory', () => {
    const { volume } = planProvisioning(claim('c'), 'slow', hostPath, enabled);
    assert.deepEqual(volume?.metadata.finalizers, ['kubernetes.io/pv-controller']);
    assert.deepEqual(volume?.spec, {
      persistentVolumeReclaimPolicy: 'Delete',
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '1Gi' },
      hostPath: { path: '/tmp/hostpath_pv/uid-c' },
      claimRef: {
        kind: 'PersistentVolumeClaim',
        namespace: 'default',
        name: 'c',
        uid: 'uid-c',
        apiVersion: 'v1',
        resourceVersion: '',
      },
      storageClassName: 'slow',
    });
  });
});
