import { finishInTurns } from '@binnacle/apimachinery/turns';
import { objectKey } from '@binnacle/client/cache';
import { hasFinalizer } from '@binnacle/client/controller';
import type { PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import type { Binder } from './binder.js';
import { isReleased, unboundVolume, volumeInPhase } from './binding.js';
import { BINDING, openOfClass } from './indexes.js';
import { IN_TREE_FINALIZER, migratedVolume } from './migration.js';
import { isReferring, planReclaim, planVolume } from './plan-volume.js';
import { takersOf } from './selection.js';
import { classNameOf } from '../volumes/index.js';

/** Brings the phase of a volume up to date, and reclaims it once its claim is gone. */
export async function reconcileVolume(name: string, binder: Binder): Promise<void> {
  const seen = binder.caches.volumes.get(name);
  if (seen === undefined) return;
  const volume = await binder.updateVolume(seen, migratedVolume(seen));
  const claim = isReferring(volume) ? await findClaim(volume, binder) : undefined;
  const plan = planVolume(volume, claim);
  if (plan.step === 'release') return release(volume, binder);
  if (plan.step === 'unbind') {
    const free = await binder.updateVolume(volume, unboundVolume(volume));
    return setAvailable(free, binder);
  }
  if (plan.step === 'setPhase' && plan.phase === 'Available') return setAvailable(volume, binder);
  if (plan.step === 'setPhase')
    return void (await binder.updateVolumeStatus(volume, volumeInPhase(volume, plan.phase)));
  if (claim === undefined) return;
  if (plan.step === 'askClaim') return binder.enqueue(claim);
  binder.record(volume, plan.ofVolume);
  binder.record(claim, plan.ofClaim);
}

/**
 * The claim that a volume refers to. A stale cache must not reclaim the volume. So the loop asks the server about a
 * claim that is not in the cache or has another uid there. A volume that was released before needs no second look.
 */
async function findClaim(volume: PersistentVolume, binder: Binder): Promise<PersistentVolumeClaim | undefined> {
  const { namespace = '', name = '', uid = '' } = volume.spec?.claimRef ?? {};
  const key = objectKey({ metadata: { namespace, name } });
  const cached = binder.caches.claims.get(key);
  if (cached?.metadata.uid === uid || (cached === undefined && isReleased(volume))) return cached;
  const claim = await binder.readClaim(key);
  return claim?.metadata.uid === uid ? claim : undefined;
}

/** Claims wait for a volume without an event of their own. */
async function setAvailable(seen: PersistentVolume, binder: Binder): Promise<void> {
  const volume = await binder.updateVolumeStatus(seen, volumeInPhase(seen, 'Available'));
  const { claims, classes } = binder.caches;
  const waiting = claims.candidates(BINDING, openOfClass(classNameOf(volume) ?? ''));
  for (const claim of await finishInTurns(takersOf(volume, waiting, (name) => classes.get(name))))
    binder.enqueue(claim);
}

async function release(seen: PersistentVolume, binder: Binder): Promise<void> {
  const volume = isReleased(seen) ? seen : await binder.updateVolumeStatus(seen, volumeInPhase(seen, 'Released'));
  const plan = planReclaim(volume);
  if (plan.step === 'delete') return deleteStorage(volume, binder);
  if (plan.step === 'leave' || volume.status?.phase === 'Failed') return;
  const failed = await binder.updateVolumeStatus(volume, volumeInPhase(volume, 'Failed', plan.message));
  binder.record(failed, { type: 'Warning', reason: plan.reason, message: plan.message });
}

/** The directory is simulated, so only the object goes. */
async function deleteStorage(seen: PersistentVolume, binder: Binder): Promise<void> {
  const finalizers = (seen.metadata.finalizers ?? []).filter((each) => each !== IN_TREE_FINALIZER);
  const volume = hasFinalizer(seen, IN_TREE_FINALIZER)
    ? await binder.updateVolume(seen, { ...seen, metadata: { ...seen.metadata, finalizers } })
    : seen;
  if (volume.metadata.deletionTimestamp === undefined) await binder.deleteVolume(volume);
}
