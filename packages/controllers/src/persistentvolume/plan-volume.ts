import type { PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import type { PlannedEvent } from '../common/index.js';
import { isMigrated } from './migration.js';
import { pluginOf } from './plugins.js';
import { annotationOf, hasAnnotation, hasModeOf, PROVISIONED_BY } from '../volumes/index.js';

export type VolumePlan =
  | { readonly step: 'setPhase'; readonly phase: 'Available' | 'Bound' }
  /** The claim is gone, or does not need this volume. */
  | { readonly step: 'release' }
  /** The claim has another volume. */
  | { readonly step: 'unbind' }
  /** The claim's own reconcile completes the binding. */
  | { readonly step: 'askClaim' }
  /** The user reserved the volume for a claim that cannot have it. */
  | { readonly step: 'warn'; readonly ofVolume: PlannedEvent; readonly ofClaim: PlannedEvent };

/** `claim`: the claim that the volume refers to, by name and uid; undefined if there is none. */
export function planVolume(volume: PersistentVolume, claim: PersistentVolumeClaim | undefined): VolumePlan {
  if (!isReferring(volume)) return { step: 'setPhase', phase: 'Available' };
  if (claim === undefined) return { step: 'release' };
  const { volumeName = '' } = claim.spec ?? {};
  if (volumeName === volume.metadata.name) return { step: 'setPhase', phase: 'Bound' };
  if (volumeName === '') return hasModeOf(volume, claim) ? { step: 'askClaim' } : modeWarning(volume, claim);
  const isMadeForClaim =
    hasAnnotation(volume, PROVISIONED_BY) && volume.spec?.persistentVolumeReclaimPolicy === 'Delete';
  return { step: isMadeForClaim ? 'release' : 'unbind' };
}

/** The volume refers to a certain claim, and not only to the name of one to come. */
export function isReferring({ spec }: PersistentVolume): boolean {
  return (spec?.claimRef?.uid ?? '') !== '';
}

export type ReclaimPlan =
  /** Retain, or an external program that deletes the volume. */
  | { readonly step: 'leave' }
  /** This loop deletes the volume. */
  | { readonly step: 'delete' }
  | { readonly step: 'fail'; readonly reason: string; readonly message: string };

export function planReclaim(volume: PersistentVolume): ReclaimPlan {
  if (isMigrated(volume)) return { step: 'leave' };
  const { persistentVolumeReclaimPolicy: policy } = volume.spec ?? {};
  if (policy === 'Recycle') return planRecycling(volume);
  return policy === 'Delete' ? planDeletion(volume) : { step: 'leave' };
}

/** The plugins that recycle run a pod for it, which only upstream's manager does. */
function planRecycling({ spec }: PersistentVolume): ReclaimPlan {
  if (spec?.hostPath !== undefined || spec?.nfs !== undefined) return { step: 'leave' };
  return { step: 'fail', reason: 'VolumeFailedRecycle', message: 'No recycler plugin found for the volume!' };
}

/** The plugin that made the volume deletes it; otherwise, the one that serves its kind. */
function planDeletion(volume: PersistentVolume): ReclaimPlan {
  const { metadata, spec } = volume;
  const provisioner = annotationOf(volume, PROVISIONED_BY) ?? '';
  if (provisioner !== '') {
    const found = pluginOf(provisioner, 'deletable');
    if ('isFound' in found) return deletionByHostPath(volume);
    return provisioner.startsWith('kubernetes.io/') ? failure(found.error) : { step: 'leave' };
  }
  if (spec?.csi !== undefined) return { step: 'leave' };
  if (spec?.hostPath !== undefined) return deletionByHostPath(volume);
  const why = spec?.nfs === undefined ? 'no volume plugin matched' : 'no deletable volume plugin matched';
  const name = JSON.stringify(metadata.name ?? '');
  return failure(`error getting deleter volume plugin for volume ${name}: ${why}`);
}

function deletionByHostPath({ metadata, spec }: PersistentVolume): ReclaimPlan {
  const { path } = spec?.hostPath ?? {};
  if (path === undefined) {
    const name = JSON.stringify(metadata.name ?? '');
    return failure(`failed to create deleter for volume ${name}: spec.PersistentVolumeSource.HostPath is nil`);
  }
  if (/\/tmp\/./.test(path)) return { step: 'delete' };
  return failure(`host_path deleter only supports /tmp/.+ but received provided ${path}`);
}

function failure(message: string): ReclaimPlan {
  return { step: 'fail', reason: 'VolumeFailedDelete', message };
}

function modeWarning(volume: PersistentVolume, claim: PersistentVolumeClaim): VolumePlan {
  const event = (message: string): PlannedEvent => ({ type: 'Warning', reason: 'VolumeMismatch', message });
  const name = JSON.stringify(claim.metadata.name ?? '');
  return {
    step: 'warn',
    ofVolume: event(
      `Cannot bind PersistentVolume to requested PersistentVolumeClaim ${name} due to incompatible volumeMode.`,
    ),
    ofClaim: event(
      `Cannot bind PersistentVolume ${JSON.stringify(volume.metadata.name ?? '')} to requested PersistentVolumeClaim due to incompatible volumeMode.`,
    ),
  };
}
