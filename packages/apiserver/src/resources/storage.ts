import type { CSIDriver, StorageClass } from '@binnacle/api/types/storage-v1';
import { unchanging, validateStorageClass, validateStorageClassUpdate } from '@binnacle/api/validation';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { semanticEqual } from '@binnacle/apimachinery/validation';
import type { Strategy } from '../registry/index.js';
import { kind, restore, spec } from './kind.js';

/** Upstream: `pkg/registry/storage`, `pkg/registry/node`, `pkg/registry/resource`. */
export const storageClassStrategy: Strategy = kind<StorageClass>(
  { validate: validateStorageClass, validateUpdate: validateStorageClassUpdate },
  { returnsDeletedObject: true },
);

export const csiDriverStrategy: Strategy = kind<CSIDriver>(
  {
    prepareForUpdate(driver, old) {
      if (semanticEqual(driver.spec, old.spec)) return;
      driver.metadata.generation = Number(old.metadata.generation ?? 0) + 1;
    },
    validateUpdate: unchanging('spec.attachRequired', 'spec.volumeLifecycleModes'),
  },
  { allowUnconditionalUpdate: false, returnsDeletedObject: true },
);

export const csiNodeStrategy: Strategy = kind<KubernetesObject>(
  {},
  { allowUnconditionalUpdate: false, returnsDeletedObject: true },
);

export const csiStorageCapacityStrategy: Strategy = kind<KubernetesObject>(
  { validateUpdate: unchanging('nodeTopology', 'storageClassName') },
  { allowUnconditionalUpdate: false, returnsDeletedObject: true },
);

export const volumeAttachmentStrategy: Strategy = kind<KubernetesObject>(
  { status: true, validateUpdate: unchanging('spec') },
  { allowUnconditionalUpdate: false, returnsDeletedObject: true },
);

export const volumeAttributesClassStrategy: Strategy = kind<KubernetesObject>(
  { validateUpdate: unchanging('driverName', 'parameters') },
  { returnsDeletedObject: true },
);

export const runtimeClassStrategy: Strategy = kind<KubernetesObject>(
  { validateUpdate: unchanging('handler') },
  { allowUnconditionalUpdate: false },
);

export const deviceClassStrategy: Strategy = kind<KubernetesObject>({ desired: spec });

export const resourceClaimStrategy: Strategy = kind<KubernetesObject>({
  status: true,
  prepareForUpdate: (claim, old) => restore(claim, old, 'status'),
  validateUpdate: unchanging('spec'),
});

export const resourceClaimTemplateStrategy: Strategy = kind<KubernetesObject>({ validateUpdate: unchanging('spec') });

interface ResourceSliceFields {
  spec?: { nodeName?: string; driver?: string };
}

export const resourceSliceStrategy: Strategy = kind<ResourceSliceFields>({
  desired: spec,
  selectable: (slice) => ({ 'spec.nodeName': slice.spec?.nodeName ?? '', 'spec.driver': slice.spec?.driver ?? '' }),
});
