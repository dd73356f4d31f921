import { formatTime } from '@binnacle/apimachinery/time';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { findCondition, isPodTerminal, timeOf } from '../common/index.js';

/** Upstream: `stalePodDisruptionTimeout`. */
const STALE_MILLISECONDS = 120_000;

const CONDITION = 'DisruptionTarget';

/**
 * Milliseconds until the condition of a pod that was to be disrupted is stale, as no one has deleted the pod; 0 or less: it is. Undefined for pods
 * without it. A kubelet may take as long as it likes.
 */
export function staleAfter(pod: Pod, now: number): number | undefined {
  const condition = findCondition(pod.status?.conditions, CONDITION);
  if (condition?.status !== 'True' || condition.reason === 'TerminationByKubelet') return undefined;
  if (pod.metadata.deletionTimestamp !== undefined || isPodTerminal(pod)) return undefined;
  return (timeOf(condition.lastTransitionTime) ?? 0) + STALE_MILLISECONDS - now;
}

/** The pod, no longer the target of a disruption. */
export function withoutDisruption(pod: Pod, now: number): Pod {
  const { generation } = pod.metadata;
  const ended = {
    type: CONDITION,
    status: 'False' as const,
    lastTransitionTime: formatTime(now),
    ...(generation === undefined ? {} : { observedGeneration: generation }),
  };
  const conditions = (pod.status?.conditions ?? []).map((each) => (each.type === CONDITION ? ended : each));
  return { ...pod, status: { ...pod.status, conditions } };
}
