import { Pace, type Steps } from '@binnacle/apimachinery/work';
import type { PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import { findMatch } from './match.js';
import type { SeenClaim } from './plan-claim.js';
import { classNameOf, isBoundTo, selectionOf, waitsForConsumer } from '../volumes/index.js';

/** Users write selectors, of megabytes if they like, and make many claims. So the functions of this file work in steps of this many comparisons. */
const STEP = 20_000;

/** Of these volumes, those that the selector of the claim selects, and those that are bound to the claim. */
export function* selectVolumes(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
): Steps<PersistentVolume[]> {
  const pace = new Pace(STEP);
  const cost = costOf(claim);
  const isSelected = selectionOf(claim);
  const selected: PersistentVolume[] = [];
  for (const volume of volumes) {
    if (isBoundTo(volume, claim) || isSelected(volume)) selected.push(volume);
    if (pace.endsStep(cost)) yield;
  }
  return selected;
}

/** Of these claims, those that may take a volume that became available. */
export function* takersOf(
  volume: PersistentVolume,
  claims: readonly PersistentVolumeClaim[],
  storageClass: SeenClaim['storageClass'],
): Steps<PersistentVolumeClaim[]> {
  const pace = new Pace(STEP);
  const takers: PersistentVolumeClaim[] = [];
  for (const claim of claims) {
    const isDelayed = waitsForConsumer(storageClass(classNameOf(claim) ?? ''));
    if (!isDelayed && findMatch(claim, [volume], false) !== undefined && selectionOf(claim)(volume)) takers.push(claim);
    if (pace.endsStep(costOf(claim))) yield;
  }
  return takers;
}

function costOf({ spec }: PersistentVolumeClaim): number {
  const { matchLabels = {}, matchExpressions = [] } = spec?.selector ?? {};
  return 20 + Object.keys(matchLabels).length + matchExpressions.length;
}
