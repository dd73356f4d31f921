import { fieldNamed, typeNamed } from '@binnacle/api/table';
import type { RuntimeClass } from '@binnacle/api/types/node-v1';
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
  VolumeAttributesClass,
} from '@binnacle/api/types/storage-v1';
import type { StorageVersionMigration } from '@binnacle/api/types/storagemigration-v1beta1';
import {
  validateCSIDriver,
  validateCSIDriverUpdate,
  validateCSINode,
  validateCSINodeUpdate,
  validateCSIStorageCapacity,
  validateCSIStorageCapacityUpdate,
  validateRuntimeClass,
  validateRuntimeClassUpdate,
  validateStorageClass,
  validateStorageClassUpdate,
  validateStorageVersionMigration,
  validateStorageVersionMigrationStatusUpdate,
  validateStorageVersionMigrationUpdate,
  validateVolumeAttachment,
  validateVolumeAttachmentUpdate,
  validateVolumeAttributesClass,
  validateVolumeAttributesClassUpdate,
} from '@binnacle/api/validation';
import { semanticEqual } from '@binnacle/apimachinery/validation';
import type { Strategy } from '../registry/index.js';
import { gatedFields } from './gated-fields.js';
import { kind, type PlainStrategy } from './kind.js';
import { statusStrategy } from './status.js';

// Upstream: `pkg/registry/storage`, `pkg/registry/storagemigration`, `pkg/registry/node`.

const DRIVER_SPEC = 'io.k8s.api.storage.v1.CSIDriverSpec';
const conditional: PlainStrategy = { allowUnconditionalUpdate: false, returnsDeletedObject: true };

export const storageClassStrategy: Strategy = kind<StorageClass>(
  { validate: validateStorageClass, validateUpdate: validateStorageClassUpdate },
  { returnsDeletedObject: true },
);

/** Has no generation until its spec changes. */
export const csiDriverStrategy: Strategy = kind<CSIDriver>(
  {
    gated: [gatedFields('VolumeLimitScaling', ['spec.preventPodSchedulingIfMissing'])],
    prepareForUpdate(driver, old) {
      if (semanticEqual(driver.spec, old.spec, typeNamed(DRIVER_SPEC))) return;
      driver.metadata.generation = Number(old.metadata.generation ?? 0) + 1;
    },
    validate: validateCSIDriver,
    validateUpdate: validateCSIDriverUpdate,
    warnings: tokenWarnings,
  },
  conditional,
);

function tokenWarnings(driver: CSIDriver, old: CSIDriver | undefined): string[] {
  const requests = driver.spec?.tokenRequests ?? [];
  if (requests.length === 0 || driver.spec.serviceAccountTokenInSecrets !== undefined) return [];
  if (old !== undefined && semanticEqual(requests, old.spec?.tokenRequests, fieldNamed(DRIVER_SPEC, 'tokenRequests')))
    return [];
  return [
    'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
  ];
}

export const csiNodeStrategy: Strategy = kind<CSINode>(
  { validate: validateCSINode, validateUpdate: validateCSINodeUpdate },
  conditional,
);

export const csiStorageCapacityStrategy: Strategy = kind<CSIStorageCapacity>(
  { validate: validateCSIStorageCapacity, validateUpdate: validateCSIStorageCapacityUpdate },
  { allowUnconditionalUpdate: false },
);

export const volumeAttachmentStrategy: Strategy = kind<VolumeAttachment>(
  { status: true, validate: validateVolumeAttachment, validateUpdate: validateVolumeAttachmentUpdate },
  conditional,
);

export const volumeAttachmentStatusStrategy: Strategy = statusStrategy<VolumeAttachment>({
  keeps: 'metadata',
  validateUpdate: validateVolumeAttachmentUpdate,
});

export const volumeAttributesClassStrategy: Strategy = kind<VolumeAttributesClass>(
  { validate: validateVolumeAttributesClass, validateUpdate: validateVolumeAttributesClassUpdate },
  { returnsDeletedObject: true },
);

export const runtimeClassStrategy: Strategy = kind<RuntimeClass>(
  { anyFinalizer: true, validate: validateRuntimeClass, validateUpdate: validateRuntimeClassUpdate },
  { allowUnconditionalUpdate: false, allowCreateOnUpdate: true },
);

export const storageVersionMigrationStrategy: Strategy = kind<StorageVersionMigration>(
  {
    status: true,
    validate: validateStorageVersionMigration,
    validateUpdate: validateStorageVersionMigrationUpdate,
  },
  { allowUnconditionalUpdate: false },
);

export const storageVersionMigrationStatusStrategy: Strategy = {
  ...statusStrategy<StorageVersionMigration>({
    keeps: 'metadata',
    validateUpdate: validateStorageVersionMigrationStatusUpdate,
  }),
  allowUnconditionalUpdate: false,
};
