import { Quantity } from '@binnacle/apimachinery/quantity';
import type { PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import { selectorOf } from '../common/index.js';
import { classNameOf } from './storage-class.js';

/** A volume is bound or pre-bound to the claim. A reference without a uid is one that a user made. */
export function isBoundTo({ spec }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean {
  const { name, namespace, uid = '' } = spec?.claimRef ?? {};
  return name === metadata.name && namespace === metadata.namespace && (uid === '' || uid === metadata.uid);
}

export function sizeOf({ spec }: PersistentVolume): Quantity {
  return Quantity.parse(spec?.capacity?.['storage'] ?? '0');
}

export function requestOf({ spec }: PersistentVolumeClaim): Quantity {
  return Quantity.parse(spec?.resources?.requests?.['storage'] ?? '0');
}

export function isOfClass(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (classNameOf(volume) ?? '') === (classNameOf(claim) ?? '');
}

export function hasAttributesOf({ spec }: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (spec?.volumeAttributesClassName ?? '') === (claim.spec?.volumeAttributesClassName ?? '');
}

export function hasAccessOf({ spec }: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (claim.spec?.accessModes ?? []).every((mode) => spec?.accessModes?.includes(mode));
}

export function hasModeOf(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (volume.spec?.volumeMode ?? 'Filesystem') === (claim.spec?.volumeMode ?? 'Filesystem');
}

/** Whether the selector of a claim, which is parsed once, selects a volume. An empty one selects all. */
export function selectionOf({ spec }: PersistentVolumeClaim): (volume: PersistentVolume) => boolean {
  const { matchLabels = {}, matchExpressions = [] } = spec?.selector ?? {};
  if (spec?.selector === undefined || (Object.keys(matchLabels).length === 0 && matchExpressions.length === 0)) {
    return () => true;
  }
  const selector = selectorOf(spec.selector);
  return ({ metadata: { labels = {} } }) => selector.matches(labels);
}
