import { messageOf } from '@binnacle/apimachinery/errors';
import type { EventRecorder } from '@binnacle/client/events';
import { Controller } from '@binnacle/client/controller';
import { PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';
import { type OwnerContext, podClaimIndexes, podsNaming, reconcileOwner } from '../common/index.js';
import type { CreateLoop } from '../loop/index.js';
import { type EphemeralPlan, hasEphemeralVolumes, planClaims } from './plan.js';

export const createEphemeralVolumeLoop: CreateLoop = (context) => {
  const { informers, events } = context;
  const recorder = events.recorder({ component: 'ephemeral_volume' });
  const pods = () => informers.informer(Pod).indexer;
  return new Controller({
    name: 'ephemeral_volume',
    for: Pod,
    // Volumes of a pod never change, and the garbage collector deletes their claims.
    predicate: ({ type, object }) => type === 'create' && hasEphemeralVolumes(object),
    watches: [
      {
        resource: PersistentVolumeClaim,
        predicate: ({ type }) => type === 'delete',
        map: ({ metadata: { namespace, name } }: PersistentVolumeClaim) =>
          podsNaming(pods(), namespace, name)
            .filter(hasEphemeralVolumes)
            .map((pod) => ({ namespace, name: pod.metadata.name ?? '' })),
      },
    ],
    reads: [{ resource: Pod, indexes: podClaimIndexes }],
    concurrency: 5,
    reconcile: reconcileOwner({ resource: Pod, writes: [PersistentVolumeClaim], informers }, (pod, owner) =>
      createClaims(pod, owner, recorder),
    ),
  }).bind(context);
};

async function createClaims(pod: Pod, { lister, writer }: OwnerContext, recorder: EventRecorder): Promise<void> {
  const claims = lister(PersistentVolumeClaim).namespace(pod.metadata.namespace ?? '');
  for (const plan of planClaims(pod, (name) => claims.get(name))) {
    try {
      if ('conflict' in plan) throw new Error(plan.conflict);
      await writer.create(PersistentVolumeClaim, plan.create);
    } catch (error) {
      recorder.event(pod, 'Warning', 'FailedBinding', `ephemeral volume ${plan.volume}: ${describe(plan, error)}`);
      throw error;
    }
  }
}

function describe(plan: EphemeralPlan, error: unknown): string {
  return 'conflict' in plan ? plan.conflict : `create PVC ${plan.create.metadata.name ?? ''}: ${messageOf(error)}`;
}
