import { formatTime } from '@binnacle/apimachinery/time';
import type { Pod, PodCondition } from '@binnacle/client/kinds/core/v1';
import type { PodEvent } from './pod-event.js';

/*
 * The words of an eviction under memory pressure. Upstream: kubelet `pkg/kubelet/eviction`, `evictPod`.
 */

const MESSAGE = 'The node was low on resource: memory. ';

export const EVICTED = { phase: 'Failed', reason: 'Evicted', message: MESSAGE } as const;
export const EVICTION_EVENT: PodEvent = { type: 'Warning', reason: EVICTED.reason, message: MESSAGE };

/** The pod with the condition that says that its node ends it. `now`: milliseconds since the epoch. */
export function disrupted(pod: Pod, now: number): Pod {
  const { metadata, status } = pod;
  const condition: PodCondition = {
    type: 'DisruptionTarget',
    ...(metadata.generation === undefined ? {} : { observedGeneration: metadata.generation }),
    status: 'True',
    lastTransitionTime: formatTime(now),
    reason: 'TerminationByKubelet',
    message: MESSAGE,
  };
  const conditions = (status?.conditions ?? []).filter(({ type }) => type !== condition.type);
  return { ...pod, status: { ...status, conditions: [...conditions, condition] } };
}
