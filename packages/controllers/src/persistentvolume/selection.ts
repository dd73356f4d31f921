import type { Steps } from '@binnacle/apimachinery/work';
import type { PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import { selectorOf } from '../common/index.js';
import { findMatch, isBoundTo } from './match.js';
import type { SeenClaim } from './plan-claim.js';
import { classNameOf, waitsForConsumer } from './storage-class.js';

/** Users write selectors, of megabytes if they like, and make many claims. So the functions of this file work in steps of this many comparisons. */
const STEP = 20_000;

/** Of these volumes, those that the selector of the claim selects, and those that are bound to the claim. */
export function* selectVolumes(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
): Steps<PersistentVolume[]> {
  const cost = costOf(claim);
  const selected: PersistentVolume[] = [];
  let spent = 0;
  for (const volume of volumes) {
    if (isBoundTo(volume, claim) || isSelected(claim, volume)) selected.push(volume);
    spent += cost;
    if (spent < STEP) continue;
    spent = 0;
    yield;
  }
  return selected;
}

/** Of these claims, those that may take a volume that became available. */
export function* takersOf(
  volume: PersistentVolume,
  claims: readonly PersistentVolumeClaim[],
  storageClass: SeenClaim['storageClass'],
): Steps<PersistentVolumeClaim[]> {
  const takers: PersistentVolumeClaim[] = [];
  let spent = 0;
  for (const claim of claims) {
    const isDelayed = waitsForConsumer(storageClass(classNameOf(claim) ?? ''));
    if (!isDelayed && findMatch(claim, [volume], false) !== undefined && isSelected(claim, volume)) takers.push(claim);
    spent += costOf(claim);
    if (spent < STEP) continue;
    spent = 0;
    yield;
  }
  return takers;
}

/** An empty selector selects all volumes. */
function isSelected({ spec }: PersistentVolumeClaim, { metadata }: PersistentVolume): boolean {
  const { matchLabels = {}, matchExpressions = [] } = spec?.selector ?? {};
  if (spec?.selector === undefined || (Object.keys(matchLabels).length === 0 && matchExpressions.length === 0))
    return true;
  return selectorOf(spec.selector).matches(metadata.labels ?? {});
}

function costOf({ spec }: PersistentVolumeClaim): number {
  const { matchLabels = {}, matchExpressions = [] } = spec?.selector ?? {};
  return 20 + Object.keys(matchLabels).length + matchExpressions.length;
}
