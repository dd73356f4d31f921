import type { PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import { BIND_COMPLETED, classNameOf, hasAnnotation } from '../volumes/index.js';

export const BINDING = 'binding';

/** Values of the index of volumes: the claim that a volume refers to, or, for a volume that is free, its class. */
export const ofClaim = (namespace = '', name = '') => `claim/${namespace}/${name}`;
export const freeOfClass = (className: string) => `free/${className}`;

/**
 * Values of the index of claims: the volume that a claim names, or, for a claim that is open, because it has no volume yet, its class.
 * An open claim without a class gets the default class when there is one; until then, it also matches volumes without a class.
 */
export const ofVolume = (name = '') => `volume/${name}`;
export const openOfClass = (className: string) => `open/${className}`;
export const openUntilDefaultClass = 'open';

function volumeBinding(volume: PersistentVolume): string[] {
  const { claimRef } = volume.spec ?? {};
  if (claimRef !== undefined) return [ofClaim(claimRef.namespace, claimRef.name)];
  return [freeOfClass(classNameOf(volume) ?? '')];
}

function claimBinding(claim: PersistentVolumeClaim): string[] {
  const { volumeName = '' } = claim.spec ?? {};
  if (volumeName !== '') return [ofVolume(volumeName)];
  if (hasAnnotation(claim, BIND_COMPLETED)) return [];
  const className = classNameOf(claim);
  return className === undefined ? [openOfClass(''), openUntilDefaultClass] : [openOfClass(className)];
}

/** Volumes by the claim that they refer to, or by the class whose claims may have them. */
export const volumeIndexes = { [BINDING]: volumeBinding };

/** Claims by the volume that they name, or by the class of which they want one. */
export const claimIndexes = { [BINDING]: claimBinding };
