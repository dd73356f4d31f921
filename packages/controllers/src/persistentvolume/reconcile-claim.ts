import { finishInTurns } from '@binnacle/apimachinery/turns';
import type { ReconcileResult } from '@binnacle/client/controller';
import type { PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import { isAlreadyExists } from '@binnacle/client/rest';
import { isPodTerminal, type PlannedEvent, podsNaming } from '../common/index.js';
import type { Binder } from './binder.js';
import { boundClaim, claimInPhase, volumeInPhase } from './binding.js';
import { BINDING, freeOfClass, ofClaim } from './indexes.js';
import { migratedClaim } from './migration.js';
import { planClaim, type SeenClaim } from './plan-claim.js';
import { claimOfProvisioner, planProvisioning } from './provisioning.js';
import { selectVolumes } from './selection.js';
import {
  BIND_COMPLETED,
  boundVolume,
  classNameOf,
  hasAnnotation,
  SELECTED_NODE,
  withoutAnnotation,
} from '../volumes/index.js';

/** How long to wait for the event of a volume that the server has and the cache lacks. It usually comes in milliseconds. */
const BEHIND_MILLISECONDS = 1000;

/** How many pods an event names. */
const MAX_NAMES = 100;

/** Makes one step for a claim: binds it, asks for a volume, or says why it waits. */
export async function reconcileClaim(key: string, binder: Binder): Promise<ReconcileResult | void> {
  const seen = binder.caches.claims.get(key);
  if (seen === undefined) return;
  const claim = await binder.updateClaim(seen, migratedClaim(seen));
  const plan = planClaim(seenClaim(claim, await candidatesOf(claim, binder), binder));
  if (plan.step === 'bind') return bind(plan.volume, claim, binder);
  if (plan.step === 'provision') return provision(claim, plan.className, binder);
  if (plan.step === 'lose') return lose(claim, plan.event, binder);
  if (plan.step === 'setClass') {
    await binder.updateClaim(claim, { ...claim, spec: { ...claim.spec, storageClassName: plan.className } });
    return binder.enqueue(claim);
  }
  if (plan.event !== undefined) binder.record(claim, plan.event);
  if (plan.step === 'wait') await binder.updateClaimStatus(claim, claimInPhase(claim, 'Pending', undefined));
}

async function candidatesOf(claim: PersistentVolumeClaim, { caches }: Binder): Promise<PersistentVolume[]> {
  if ((claim.spec?.volumeName ?? '') !== '' || hasAnnotation(claim, BIND_COMPLETED)) return [];
  const { namespace, name } = claim.metadata;
  const reserved = caches.volumes.candidates(BINDING, ofClaim(namespace, name));
  const free = caches.volumes.candidates(BINDING, freeOfClass(classNameOf(claim) ?? ''));
  return finishInTurns(selectVolumes(claim, [...new Set([...reserved, ...free])]));
}

function seenClaim(
  claim: PersistentVolumeClaim,
  candidates: readonly PersistentVolume[],
  { caches }: Binder,
): SeenClaim {
  const { volumes, pods, classes } = caches;
  const { namespace, name } = claim.metadata;
  return {
    claim,
    volume: volumes.get(claim.spec?.volumeName ?? ''),
    candidates,
    storageClass: (className) => classes.get(className),
    storageClasses: () => classes.list(),
    waitingPods: () =>
      podsNaming(pods, namespace, name)
        .filter((pod) => !isPodTerminal(pod) && (pod.spec?.nodeName ?? '') === '')
        .slice(0, MAX_NAMES)
        .map((pod) => pod.metadata.name ?? ''),
  };
}

/** The volume is written first: with its reference, no other claim takes it. A reconcile completes a binding that was interrupted. */
async function bind(seenVolume: PersistentVolume, seen: PersistentVolumeClaim, binder: Binder): Promise<void> {
  const reserved = await binder.updateVolume(seenVolume, boundVolume(seenVolume, seen));
  const volume = await binder.updateVolumeStatus(reserved, volumeInPhase(reserved, 'Bound'));
  const claim = await binder.updateClaim(seen, boundClaim(seen, volume));
  await binder.updateClaimStatus(claim, claimInPhase(claim, 'Bound', volume));
}

async function lose(
  claim: PersistentVolumeClaim,
  event: PlannedEvent,
  binder: Binder,
): Promise<ReconcileResult | void> {
  if (claim.status?.phase === 'Lost') return;
  const { volumeName = '' } = claim.spec ?? {};
  const isUnseen = volumeName !== '' && binder.caches.volumes.get(volumeName) === undefined;
  if (isUnseen && (await binder.readVolume(volumeName)) !== undefined) return { requeueAfter: BEHIND_MILLISECONDS };
  const lost = await binder.updateClaimStatus(claim, claimInPhase(claim, 'Lost', undefined));
  binder.record(lost, event);
}

async function provision(seen: PersistentVolumeClaim, className: string, binder: Binder): Promise<void> {
  const { classes, nodes } = binder.caches;
  const { provisioner, volume, isRescheduled, event } = planProvisioning(seen, className, classes.get(className), {
    isHostPathEnabled: binder.isHostPathEnabled,
    hasNode: (name) => nodes.get(name) !== undefined,
  });
  const claim =
    provisioner === undefined ? seen : await binder.updateClaim(seen, claimOfProvisioner(seen, provisioner));
  if (isRescheduled) await binder.updateClaim(claim, withoutAnnotation(claim, SELECTED_NODE));
  const created = volume === undefined ? undefined : await createOnce(volume, binder);
  if (volume !== undefined && created === undefined) return;
  binder.record(claim, event);
  if (created !== undefined) await bind(created, claim, binder);
}

/** Resolves to undefined if the volume exists. Its event then reconciles the claim. */
async function createOnce(volume: PersistentVolume, binder: Binder): Promise<PersistentVolume | undefined> {
  try {
    return await binder.createVolume(volume);
  } catch (error) {
    if (isAlreadyExists(error)) return undefined;
    throw error;
  }
}
