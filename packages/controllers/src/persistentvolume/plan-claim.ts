import type { EventType } from '@binnacle/client/events';
import type { PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import type { StorageClass } from '@binnacle/client/kinds/storage/v1';
import type { PlannedEvent } from '../common/index.js';
import { findMatch, mismatchOf } from './match.js';
import {
  BIND_COMPLETED,
  BOUND_BY_CONTROLLER,
  classNameOf,
  defaultClass,
  hasAnnotation,
  isBoundTo,
  SELECTED_NODE,
  waitsForConsumer,
} from '../volumes/index.js';

/** What the caches show of a claim. */
export interface SeenClaim {
  readonly claim: PersistentVolumeClaim;
  /** The volume that the claim names. */
  readonly volume: PersistentVolume | undefined;
  /** Volumes that the claim may get: of its class or bound to it, and chosen by its selector. */
  readonly candidates: readonly PersistentVolume[];
  readonly storageClass: (name: string) => StorageClass | undefined;
  readonly storageClasses: () => readonly StorageClass[];
  /** The names of the pods that use the claim and have no node yet. */
  readonly waitingPods: () => readonly string[];
}

export type ClaimPlan =
  | { readonly step: 'bind'; readonly volume: PersistentVolume }
  /** The claim waits. */
  | { readonly step: 'wait'; readonly event?: PlannedEvent }
  /** A user broke the binding. The claim keeps its status. */
  | { readonly step: 'warn'; readonly event: PlannedEvent }
  /**
   * The claim was bound, and its volume is gone or belongs to another claim. The event is recorded with the change of
   * the phase.
   */
  | { readonly step: 'lose'; readonly event: PlannedEvent }
  | { readonly step: 'setClass'; readonly className: string }
  | { readonly step: 'provision'; readonly className: string };

export function planClaim(seen: SeenClaim): ClaimPlan {
  if (hasAnnotation(seen.claim, BIND_COMPLETED)) return planBoundClaim(seen);
  return (seen.claim.spec?.volumeName ?? '') === '' ? planOpenClaim(seen) : planClaimOfVolume(seen);
}

function planBoundClaim({ claim, volume }: SeenClaim): ClaimPlan {
  if ((claim.spec?.volumeName ?? '') === '') {
    return lose('ClaimLost', 'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!');
  }
  if (volume === undefined) {
    return lose('ClaimLost', 'Bound claim has lost its PersistentVolume. Data on the volume is lost!');
  }
  const { claimRef } = volume.spec ?? {};
  if (claimRef === undefined || claimRef.uid === claim.metadata.uid) return { step: 'bind', volume };
  return lose('ClaimMisbound', 'Two claims are bound to the same volume, this one is bound incorrectly');
}

/** The claim takes any volume that fits. */
function planOpenClaim(seen: SeenClaim): ClaimPlan {
  const { claim, candidates, storageClass, storageClasses } = seen;
  const className = classNameOf(claim);
  const isDelayed = className !== undefined && className !== '' && waitsForConsumer(storageClass(className));
  const volume = findMatch(claim, candidates, isDelayed);
  if (volume !== undefined) return { step: 'bind', volume };
  const chosen = className === undefined ? defaultClass(storageClasses()) : undefined;
  if (chosen !== undefined) return { step: 'setClass', className: chosen.metadata.name ?? '' };
  if (isDelayed && !hasAnnotation(claim, SELECTED_NODE)) return waitForConsumer(seen);
  if (className !== undefined && className !== '') return { step: 'provision', className };
  const message = 'no persistent volumes available for this claim and no storage class is set';
  return wait('Normal', 'FailedBinding', message);
}

function waitForConsumer({ waitingPods }: SeenClaim): ClaimPlan {
  const pods = waitingPods();
  if (pods.length === 0) {
    return wait('Normal', 'WaitForFirstConsumer', 'waiting for first consumer to be created before binding');
  }
  const message = `waiting for pod${pods.length > 1 ? 's' : ''} ${pods.join()} to be scheduled`;
  return wait('Normal', 'WaitForPodScheduled', message);
}

/** The claim names its volume. */
function planClaimOfVolume({ claim, volume }: SeenClaim): ClaimPlan {
  if (volume === undefined) return { step: 'wait' };
  const name = JSON.stringify(volume.metadata.name ?? '');
  if (volume.spec?.claimRef === undefined) {
    const mismatch = mismatchOf(volume, claim);
    if (mismatch === undefined) return { step: 'bind', volume };
    return wait('Warning', 'VolumeMismatch', `Cannot bind to requested volume ${name}: ${mismatch}`);
  }
  if (isBoundTo(volume, claim)) return { step: 'bind', volume };
  const message = `volume ${name} already bound to a different claim.`;
  if (!hasAnnotation(claim, BOUND_BY_CONTROLLER)) return wait('Warning', 'FailedBinding', message);
  return { step: 'warn', event: { type: 'Warning', reason: 'FailedBinding', message } };
}

function wait(type: EventType, reason: string, message: string): ClaimPlan {
  return { step: 'wait', event: { type, reason, message } };
}

function lose(reason: string, message: string): ClaimPlan {
  return { step: 'lose', event: { type: 'Warning', reason, message } };
}
