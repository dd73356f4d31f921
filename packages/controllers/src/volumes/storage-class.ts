import type { PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import type { StorageClass } from '@binnacle/client/kinds/storage/v1';
import { annotationOf } from './annotations.js';

const BETA_CLASS = 'volume.beta.kubernetes.io/storage-class';
const IS_DEFAULT = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];

/** The name of a claim's or volume's class; empty if it wants none. Undefined: a claim that leaves the choice to the cluster. */
export function classNameOf(object: PersistentVolume | PersistentVolumeClaim): string | undefined {
  return annotationOf(object, BETA_CLASS) ?? object.spec?.storageClassName;
}

/** The class for claims that name none: of several, the newest. */
export function defaultClass(classes: readonly StorageClass[]): StorageClass | undefined {
  return classes
    .filter((each) => IS_DEFAULT.some((key) => annotationOf(each, key) === 'true'))
    .reduce<StorageClass | undefined>(
      (best, each) => (best === undefined || isBefore(each, best) ? each : best),
      undefined,
    );
}

/** Claims of the class are bound and provisioned only once a pod that uses them is being scheduled. */
export function waitsForConsumer(storageClass: StorageClass | undefined): boolean {
  return storageClass?.volumeBindingMode === 'WaitForFirstConsumer';
}

function isBefore({ metadata: one }: StorageClass, { metadata: other }: StorageClass): boolean {
  const [created, than] = [one.creationTimestamp ?? '', other.creationTimestamp ?? ''];
  return created === than ? (one.name ?? '') < (other.name ?? '') : created > than;
}
