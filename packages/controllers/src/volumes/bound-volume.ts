import type { ObjectReference, PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import { BOUND_BY_CONTROLLER, hasAnnotation, withAnnotation } from './annotations.js';
import { isBoundTo } from './fit.js';

/** Reserves the volume for the claim. Returns the same object if there is nothing to write. */
export function boundVolume(volume: PersistentVolume, claim: PersistentVolumeClaim): PersistentVolume {
  const { claimRef } = volume.spec ?? {};
  const isComplete = isBoundTo(volume, claim) && claimRef?.uid === claim.metadata.uid;
  const referring = isComplete ? volume : { ...volume, spec: { ...volume.spec, claimRef: referenceTo(claim) } };
  if (isBoundTo(volume, claim) || hasAnnotation(volume, BOUND_BY_CONTROLLER)) return referring;
  return withAnnotation(referring, BOUND_BY_CONTROLLER);
}

export function referenceTo({ metadata }: PersistentVolumeClaim): ObjectReference {
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = metadata;
  return { kind: 'PersistentVolumeClaim', namespace, name, uid, apiVersion: 'v1', resourceVersion };
}
