import { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '@binnacle/client/kinds/apps/v1';
import type { TypedObject } from '@binnacle/client/typed';
import type { ClusterState } from '../history/index.js';
import type { Invariant } from './invariant.js';

interface Counts {
  readonly observed: number | undefined;
  readonly wanted: number;
  readonly present: number | undefined;
  readonly updated: number | undefined;
  readonly ready: number | undefined;
}

/** At the end, every workload has exactly the pods that it wants, all of the newest template and ready. */
export function settledWorkloads(): Invariant {
  return {
    name: 'settled',
    checkEnd: (state) => {
      for (const [object, counts] of workloads(state)) {
        const { observed, wanted, present = 0, updated = 0, ready = 0 } = counts;
        const { namespace = '', name = '', generation = 1 } = object.metadata;
        const text = `${object.kind} ${namespace}/${name}`;
        if ((observed ?? 0) < generation) return `${text}: its generation ${generation} is not observed`;
        if (present === wanted && updated === wanted && ready === wanted) continue;
        return `${text} wants ${wanted} pods: ${present} are present, ${updated} updated, ${ready} ready`;
      }
      return undefined;
    },
  };
}

function* workloads(state: ClusterState): Generator<readonly [TypedObject, Counts]> {
  for (const object of [...state.list(Deployment), ...state.list(StatefulSet)]) {
    const {
      observedGeneration: observed,
      replicas: present,
      updatedReplicas: updated,
      readyReplicas: ready,
    } = object.status ?? {};
    yield [object, { observed, wanted: object.spec?.replicas ?? 1, present, updated, ready }];
  }
  for (const object of state.list(ReplicaSet)) {
    const { observedGeneration: observed, replicas: present, readyReplicas: ready } = object.status ?? {};
    yield [object, { observed, wanted: object.spec?.replicas ?? 1, present, updated: present, ready }];
  }
  for (const object of state.list(DaemonSet)) {
    const { observedGeneration: observed, desiredNumberScheduled: wanted = 0 } = object.status ?? {};
    const {
      currentNumberScheduled: present,
      updatedNumberScheduled: updated,
      numberReady: ready,
    } = object.status ?? {};
    yield [object, { observed, wanted, present, updated, ready }];
  }
}
