import { Controller } from '@binnacle/client/controller';
import type { EventRecorder } from '@binnacle/client/events';
import { PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import { type OwnerContext, reconcileOwner } from '../common/index.js';
import type { CreateLoop } from '../loop/index.js';
import { isBound, isGrown, planExpansion, RESIZER } from './plan.js';

export const createVolumeExpandLoop: CreateLoop = (context) => {
  const { informers, events } = context;
  const recorder = events.recorder({ component: 'volume_expand' });
  return new Controller({
    name: 'volume_expand',
    for: PersistentVolumeClaim,
    predicate: (change) =>
      isBound(change.object) &&
      (change.type === 'create' || (change.type === 'update' && isGrown(change.before, change.object))),
    reads: [PersistentVolume],
    concurrency: 10,
    reconcile: reconcileOwner({ resource: PersistentVolumeClaim, writes: [], informers }, (claim, owner) =>
      expand(claim, owner, recorder),
    ),
  }).bind(context);
};

async function expand(
  claim: PersistentVolumeClaim,
  { lister, writer }: OwnerContext,
  recorder: EventRecorder,
): Promise<void> {
  if (!isBound(claim)) return;
  const { volumeName = '' } = claim.spec ?? {};
  const volume = lister(PersistentVolume).get(volumeName);
  if (volume === undefined) throw new Error(`failed to get PV ${JSON.stringify(volumeName)}`);
  const { namespace, uid = '' } = claim.metadata;
  const { claimRef } = volume.spec ?? {};
  if (claimRef?.namespace !== namespace || claimRef?.uid !== uid) {
    throw new Error('persistent Volume is not bound to PVC being updated');
  }
  const plan = planExpansion(claim, volume);
  if (plan === undefined) return;
  recorder.event(claim, 'Normal', 'ExternalExpanding', plan.message);
  if (plan.resizer === undefined) return;
  const { resourceVersion = '' } = claim.metadata;
  await writer.patchStatus(PersistentVolumeClaim, claim, {
    metadata: { uid, resourceVersion, annotations: { [RESIZER]: plan.resizer } },
  });
}
