import { controllerOf } from '@binnacle/client/controller';
import { ReplicaSet } from '@binnacle/client/kinds/apps/v1';
import { Pod } from '@binnacle/client/kinds/core/v1';
import { isOf } from '../history/index.js';
import type { Invariant } from './invariant.js';

/**
 * The ReplicaSet controller creates no pod beyond the number that its set wants. While it has not observed a change, the
 * larger number counts. A create whose answer is lost may be repeated, so this does not hold with lost answers.
 */
export function replicaCounts(): Invariant {
  const most = new Map<string, number>();
  return {
    name: 'replica-counts',
    check: (state, { type, object }) => {
      const { uid = '', generation = 1 } = object.metadata;
      if (isOf(ReplicaSet, object)) {
        const wanted = object.spec?.replicas ?? 1;
        const isObserved = (object.status?.observedGeneration ?? 0) >= generation;
        if (type === 'delete') most.delete(uid);
        else most.set(uid, isObserved ? wanted : Math.max(wanted, most.get(uid) ?? 0));
        return undefined;
      }
      if (type !== 'create' || !isOf(Pod, object)) return undefined;
      const owner = controllerOf(object);
      const wanted = most.get(owner?.uid ?? '');
      if (owner === undefined || wanted === undefined) return undefined;
      const present = state.controlledBy(Pod, owner.uid).filter(isActive).length;
      return present > wanted ? `ReplicaSet ${owner.name} has ${present} pods, and wants ${wanted}` : undefined;
    },
  };
}

function isActive({ status, metadata }: Pod): boolean {
  return metadata.deletionTimestamp === undefined && status?.phase !== 'Failed' && status?.phase !== 'Succeeded';
}
