import { driverOfPlugin } from '@binnacle/api/pods';
import type { PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import { deepEqual } from '@binnacle/apimachinery/json';
import { isReleased } from './binding.js';
import {
  annotationOf,
  BETA_PROVISIONER,
  hasAnnotation,
  MIGRATED_TO,
  PROVISIONED_BY,
  PROVISIONER,
  withAnnotation,
  withoutAnnotation,
} from '../volumes/index.js';

/** Holds a dynamically provisioned volume of an in-tree plugin until its storage is deleted. */
export const IN_TREE_FINALIZER = 'kubernetes.io/pv-controller';
const EXTERNAL_FINALIZER = 'external-provisioner.volume.kubernetes.io/finalizer';

/** The claim with the annotation that its provisioner's migration asks for; the same claim if that is right. */
export function migratedClaim(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  return migrated(claim, annotationOf(claim, PROVISIONER) ?? annotationOf(claim, BETA_PROVISIONER));
}

/** The volume with the annotation and finalizers that its provisioner asks for; the same volume if they are right. */
export function migratedVolume(volume: PersistentVolume): PersistentVolume {
  const provisioner = annotationOf(volume, PROVISIONED_BY);
  if (provisioner === undefined) return volume;
  const annotated = migrated(volume, provisioner);
  const finalizers = finalizersOf(volume, provisioner);
  if (deepEqual(finalizers, [...(volume.metadata.finalizers ?? [])])) return annotated;
  return { ...annotated, metadata: { ...annotated.metadata, finalizers } };
}

function migrated<T extends PersistentVolume | PersistentVolumeClaim>(object: T, provisioner: string | undefined): T {
  if (provisioner === undefined) return object;
  const driver = driverOfPlugin(provisioner);
  if (driver !== undefined) {
    return annotationOf(object, MIGRATED_TO) === driver ? object : withAnnotation(object, MIGRATED_TO, driver);
  }
  return (annotationOf(object, MIGRATED_TO) ?? '') === '' ? object : withoutAnnotation(object, MIGRATED_TO);
}

function finalizersOf(volume: PersistentVolume, provisioner: string): string[] {
  const { metadata, spec } = volume;
  const before = metadata.finalizers ?? [];
  const without = (...names: string[]) => before.filter((each) => !names.includes(each));
  if (driverOfPlugin(provisioner) !== undefined) return without(IN_TREE_FINALIZER);
  if (!provisioner.startsWith('kubernetes.io/')) return [...before];
  if (spec?.persistentVolumeReclaimPolicy !== 'Delete') return without(IN_TREE_FINALIZER, EXTERNAL_FINALIZER);
  const kept = without(EXTERNAL_FINALIZER);
  // The finalizer of a volume that is being reclaimed was removed for good.
  const isKept = kept.includes(IN_TREE_FINALIZER) || metadata.deletionTimestamp !== undefined || isReleased(volume);
  return isKept ? kept : [...kept, IN_TREE_FINALIZER];
}

export function isMigrated(object: PersistentVolume): boolean {
  return hasAnnotation(object, MIGRATED_TO) && annotationOf(object, MIGRATED_TO) !== '';
}
