import { Quantity, QuantityError } from '@binnacle/apimachinery/quantity';
import type {
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimStatus,
  PersistentVolumeStatus,
} from '@binnacle/client/kinds/core/v1';
import { deepEqual } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import {
  annotationOf,
  BIND_COMPLETED,
  BOUND_BY_CONTROLLER,
  hasAnnotation,
  PRE_RESIZE_CAPACITY,
  sizeOf,
  withAnnotation,
  withoutAnnotation,
} from '../volumes/index.js';

export type VolumePhase = NonNullable<PersistentVolumeStatus['phase']>;
export type ClaimPhase = NonNullable<PersistentVolumeClaimStatus['phase']>;

// A function that makes a claim or a volume returns the given one if there is nothing to write.

export function boundClaim(claim: PersistentVolumeClaim, volume: PersistentVolume): PersistentVolumeClaim {
  const { name: volumeName = '' } = volume.metadata;
  const isComplete = claim.spec?.volumeName === volumeName;
  if (isComplete && hasAnnotation(claim, BIND_COMPLETED)) return claim;
  const referring = isComplete
    ? claim
    : withAnnotation({ ...claim, spec: { ...claim.spec, volumeName } }, BOUND_BY_CONTROLLER);
  return withAnnotation(referring, BIND_COMPLETED);
}

/** Rolls a binding back: entirely if the loop made it, otherwise to the reservation by name that a user made. */
export function unboundVolume(volume: PersistentVolume): PersistentVolume {
  const { claimRef: { uid: _, ...reserved } = {}, ...spec } = volume.spec ?? {};
  if (!hasAnnotation(volume, BOUND_BY_CONTROLLER)) return { ...volume, spec: { ...spec, claimRef: reserved } };
  return withoutAnnotation({ ...volume, spec }, BOUND_BY_CONTROLLER);
}

/** A volume that was released or has failed keeps its phase, so that the user sees what happened. */
export function isReleased({ status }: PersistentVolume): boolean {
  return status?.phase === 'Released' || status?.phase === 'Failed';
}

export function volumeInPhase(volume: PersistentVolume, phase: VolumePhase, message?: string): PersistentVolume {
  if (volume.status?.phase === phase) return volume;
  const { message: _, ...status } = volume.status ?? {};
  return { ...volume, status: { ...status, phase, ...(message === undefined ? {} : { message }) } };
}

/** The claim with the status that follows from its volume; without a volume, with none of what a volume gives. */
export function claimInPhase(
  claim: PersistentVolumeClaim,
  phase: ClaimPhase,
  volume: PersistentVolume | undefined,
): PersistentVolumeClaim {
  const before = claim.status ?? {};
  const { accessModes: _, capacity, currentVolumeAttributesClassName: current, ...rest } = before;
  if (volume === undefined) return withStatus(claim, { ...rest, phase });
  const isNew = before.phase !== phase;
  const { accessModes, volumeAttributesClassName } = volume.spec ?? {};
  const attributes = before.phase === 'Pending' && phase === 'Bound' ? volumeAttributesClassName : current;
  const size = isNew ? capacityOf(volume, capacity) : capacity;
  return withStatus(claim, {
    ...rest,
    phase,
    ...(accessModes === undefined ? {} : { accessModes }),
    ...(size === undefined ? {} : { capacity: size }),
    ...(attributes === undefined ? {} : { currentVolumeAttributesClassName: attributes }),
  });
}

type Capacity = NonNullable<PersistentVolumeClaimStatus['capacity']>;

/** A claim has the capacity of its volume from the binding on. Afterwards the size of the file system decides, which others report. */
function capacityOf(volume: PersistentVolume, before: Capacity | undefined): Capacity | undefined {
  const { capacity } = volume.spec ?? {};
  const storage = capacity?.['storage'];
  if (storage === undefined) {
    throw new Error(`PersistentVolume ${JSON.stringify(volume.metadata.name ?? '')} is without a storage capacity`);
  }
  const preResize = annotationOf(volume, PRE_RESIZE_CAPACITY);
  if (preResize !== undefined) return { ...before, storage: isQuantity(preResize) ? preResize : storage };
  const claimed = before?.['storage'];
  const isSame = claimed !== undefined && Quantity.parse(claimed).compare(sizeOf(volume)) === 0;
  return isSame ? before : capacity;
}

function isQuantity(text: string): boolean {
  try {
    Quantity.parse(text);
    return true;
  } catch (error) {
    if (error instanceof QuantityError) return false;
    throw error;
  }
}

function withStatus(claim: PersistentVolumeClaim, status: PersistentVolumeClaimStatus): PersistentVolumeClaim {
  return deepEqual(asJson(claim.status ?? {}), asJson(status)) ? claim : { ...claim, status };
}
