import type { CSIDriverSpec, StorageClass } from '../generated/types/storage-v1.js';
import { typeRule, type TypeRuleEntry } from './type-rule.js';

function defaultStorageClass(storageClass: StorageClass): void {
  storageClass.reclaimPolicy ??= 'Delete';
  storageClass.volumeBindingMode ??= 'Immediate';
}

function defaultCSIDriverSpec(spec: CSIDriverSpec): void {
  spec.attachRequired ??= true;
  spec.podInfoOnMount ??= false;
  spec.storageCapacity ??= false;
  spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType';
  if (!spec.volumeLifecycleModes || spec.volumeLifecycleModes.length === 0) spec.volumeLifecycleModes = ['Persistent'];
  spec.requiresRepublish ??= false;
  spec.seLinuxMount ??= false;
}

export const storageDefaults: readonly TypeRuleEntry[] = [
  typeRule('io.k8s.api.storage.v1.StorageClass', defaultStorageClass),
  typeRule('io.k8s.api.storage.v1.CSIDriverSpec', defaultCSIDriverSpec),
];
