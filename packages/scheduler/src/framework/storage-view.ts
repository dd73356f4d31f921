import type { PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
} from '@binnacle/client/kinds/storage/v1';

/** The volumes of the cluster. Decisions that the scheduler has not written yet are part of it. */
export interface StorageView {
  claim(namespace: string, name: string): PersistentVolumeClaim | undefined;
  /** Whether a pod that has a node uses the claim. */
  isClaimUsed(namespace: string, name: string): boolean;
  volume(name: string): PersistentVolume | undefined;
  volumesOfClass(className: string): readonly PersistentVolume[];
  storageClass(name: string): StorageClass | undefined;
  /** The free storage that drivers report for a class. */
  capacitiesOfClass(className: string): readonly CSIStorageCapacity[];
  driver(name: string): CSIDriver | undefined;
  csiNode(nodeName: string): CSINode | undefined;
  attachments(nodeName: string): readonly VolumeAttachment[];
}
