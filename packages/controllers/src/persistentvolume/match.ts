import type { PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import { hasAccessOf, hasAttributesOf, hasModeOf, isBoundTo, isOfClass, requestOf, sizeOf } from '../volumes/index.js';

/**
 * The volume for a claim: one that is bound to it already, or the smallest that fits. Volumes with few access modes come first, so that a claim
 * gets no more than it needs. The claim's selector has chosen the volumes. `isDelayed`: the scheduler chooses, and only bound volumes count. Upstream: `FindMatchingVolume`.
 */
export function findMatch(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
  isDelayed: boolean,
): PersistentVolume | undefined {
  const fitting = volumes.filter((volume) => fits(claim, volume)).sort(byName);
  const counts = new Set(fitting.map(countOfModes).sort((one, other) => one - other));
  for (const count of counts) {
    const group = fitting.filter((volume) => countOfModes(volume) === count);
    const bound = group.find((volume) => isBoundTo(volume, claim));
    const match = bound ?? (isDelayed ? undefined : smallest(group.filter((volume) => isFree(claim, volume))));
    if (match !== undefined) return match;
  }
  return undefined;
}

/** Why the volume that a claim names cannot be bound to it; undefined if it can. */
export function mismatchOf(volume: PersistentVolume, claim: PersistentVolumeClaim): string | undefined {
  const { name = '', deletionTimestamp } = volume.metadata;
  if (deletionTimestamp !== undefined) return `the volume is marked for deletion ${JSON.stringify(name)}`;
  if (sizeOf(volume).asInt() < requestOf(claim).asInt()) return 'requested PV is too small';
  if (!isOfClass(volume, claim)) return 'storageClassName does not match';
  if (!hasAttributesOf(volume, claim)) return 'volumeAttributesClassName does not match';
  if (!hasModeOf(volume, claim)) return 'incompatible volumeMode';
  return hasAccessOf(volume, claim) ? undefined : 'incompatible accessMode';
}

/** What bound and free volumes have in common. */
function fits(claim: PersistentVolumeClaim, volume: PersistentVolume): boolean {
  return (
    (volume.spec?.claimRef === undefined || isBoundTo(volume, claim)) &&
    volume.metadata.deletionTimestamp === undefined &&
    hasAccessOf(volume, claim) &&
    hasModeOf(volume, claim) &&
    hasAttributesOf(volume, claim) &&
    sizeOf(volume).compare(requestOf(claim)) >= 0
  );
}

function isFree(claim: PersistentVolumeClaim, volume: PersistentVolume): boolean {
  return volume.status?.phase === 'Available' && isOfClass(volume, claim);
}

function smallest(volumes: readonly PersistentVolume[]): PersistentVolume | undefined {
  return volumes.reduce<PersistentVolume | undefined>(
    (best, volume) => (best === undefined || sizeOf(volume).compare(sizeOf(best)) < 0 ? volume : best),
    undefined,
  );
}

function countOfModes({ spec }: PersistentVolume): number {
  return new Set(spec?.accessModes).size;
}

function byName({ metadata: one }: PersistentVolume, { metadata: other }: PersistentVolume): number {
  return (one.name ?? '') < (other.name ?? '') ? -1 : 1;
}
