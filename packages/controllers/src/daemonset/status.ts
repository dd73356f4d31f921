import type { DaemonSet, DaemonSetStatus } from '@binnacle/client/kinds/apps/v1';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { isPodAvailable, isPodReady, omitZero } from '../common/index.js';
import { isUpdated, oldestFirst } from './daemon-pods.js';

export interface SeenStatus {
  readonly set: DaemonSet;
  /** Names of all nodes. */
  readonly nodes: ReadonlySet<string>;
  /** The set's pods by node. */
  readonly pods: ReadonlyMap<string, readonly Pod[]>;
  /** Names of the nodes that should run a pod. */
  readonly wanted: ReadonlySet<string>;
  readonly hash: string;
  readonly now: number;
}

/** If a node has several pods of the set, the oldest one counts. */
export function statusOf({ set, nodes, pods, wanted, hash, now }: SeenStatus): DaemonSetStatus {
  const podOn = (node: string) => oldestFirst(pods.get(node) ?? [])[0];
  const counted = [...wanted].map(podOn).filter((pod) => pod !== undefined);
  const ready = counted.filter(isPodReady);
  const minReadySeconds = set.spec?.minReadySeconds ?? 0;
  const numberAvailable = ready.filter((pod) => isPodAvailable(pod, minReadySeconds, now)).length;
  const { conditions, collisionCount } = set.status ?? {};
  return {
    currentNumberScheduled: counted.length,
    numberMisscheduled: [...nodes].filter((node) => !wanted.has(node) && (pods.get(node) ?? []).length > 0).length,
    desiredNumberScheduled: wanted.size,
    numberReady: ready.length,
    ...omitZero({
      observedGeneration: set.metadata.generation,
      updatedNumberScheduled: counted.filter((pod) => isUpdated(set, pod, hash)).length,
      numberAvailable,
      numberUnavailable: wanted.size - numberAvailable,
    }),
    ...(collisionCount === undefined ? {} : { collisionCount }),
    ...(conditions === undefined ? {} : { conditions }),
  };
}

/** The status that makes the next revision of the same template have another name. */
export function collided({ status }: DaemonSet): DaemonSetStatus {
  const none = { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 };
  return { ...none, ...status, collisionCount: (status?.collisionCount ?? 0) + 1 };
}
