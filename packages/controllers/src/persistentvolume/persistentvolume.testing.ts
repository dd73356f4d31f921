import type { PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import type { StorageClass } from '@binnacle/client/kinds/storage/v1';

interface Traits<T extends PersistentVolume | PersistentVolumeClaim> {
  readonly metadata?: T['metadata'];
  readonly spec?: NonNullable<T['spec']>;
  readonly status?: NonNullable<T['status']>;
}

/** A free volume of 1Gi of the class `slow`. */
export const volume = (name: string, { metadata, spec, status }: Traits<PersistentVolume> = {}): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name, ...metadata },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'slow',
    persistentVolumeReclaimPolicy: 'Retain',
    nfs: { server: 'nfs.example.com', path: `/${name}` },
    ...spec,
  },
  status: { phase: 'Available', ...status },
});

/** An open claim for 1Gi of the class `slow`. */
export const claim = (
  name: string,
  { metadata, spec, status }: Traits<PersistentVolumeClaim> = {},
): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { namespace: 'default', name, uid: `uid-${name}`, ...metadata },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    storageClassName: 'slow',
    ...spec,
  },
  status: { phase: 'Pending', ...status },
});

export const referringTo = (name: string, uid?: string) => ({
  claimRef: { namespace: 'default', name, ...(uid === undefined ? {} : { uid }) },
});

export const storageClass = (name: string, traits: Partial<StorageClass> = {}): StorageClass => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name },
  provisioner: 'csi.example.com',
  ...traits,
});
