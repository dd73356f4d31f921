import { asKind } from '@binnacle/apimachinery/meta';
import type { PersistentVolumeClaim } from '@binnacle/api/types/core-v1';
import type { StorageClass } from '@binnacle/api/types/storage-v1';
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.js';
import { refusal } from '../refuse.js';
import { amountsOf } from '@binnacle/api/quota';
import type { Awaitable } from '@binnacle/apimachinery/work';

const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

export interface StorageClassSource {
  storageClass(name: string): Awaitable<Readonly<StorageClass> | undefined>;
}

/**
 * Allows growth only of claims whose storage class provisioned them and allows expansion.
 * Upstream: `plugin/pkg/admission/storage/persistentvolume/resize`.
 */
export function persistentVolumeClaimResize(source: StorageClassSource): AdmissionPlugin {
  return {
    name: 'PersistentVolumeClaimResize',
    resources: ['persistentvolumeclaims'],
    handles: (operation) => operation === 'UPDATE',
    validate(attributes) {
      const { resource, subresource, object, oldObject } = attributes;
      if (resource.group !== '' || resource.resource !== 'persistentvolumeclaims' || subresource !== '') return;
      const claim = asKind<PersistentVolumeClaim>(object);
      const old = asKind<PersistentVolumeClaim>(oldObject);
      if (claim === undefined || old === undefined || !isExpansion(claim, old)) return;
      if (old.status?.phase !== 'Bound') {
        throw refusal(attributes, 'Only bound persistent volume claims can be expanded');
      }
      return checkClass(attributes, claim, old);
    },
  };

  async function checkClass(
    attributes: AdmissionAttributes,
    claim: PersistentVolumeClaim,
    old: PersistentVolumeClaim,
  ): Promise<void> {
    const name = classOf(claim);
    const found = name === '' || name !== classOf(old) ? undefined : await source.storageClass(name);
    if (found?.allowVolumeExpansion === true) return;
    throw refusal(
      attributes,
      'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
  }
}

function isExpansion(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): boolean {
  const size = amountsOf(claim.spec?.resources?.requests).get('storage');
  const before = amountsOf(old.spec?.resources?.requests).get('storage');
  return size !== undefined && (before === undefined ? size.sign > 0 : size.compare(before) > 0);
}

function classOf({ metadata, spec }: PersistentVolumeClaim): string {
  return metadata?.annotations?.[CLASS_ANNOTATION] ?? spec?.storageClassName ?? '';
}
