import type { Pod, PodCondition } from '@binnacle/api/types/core-v1';
import { asKind, type KubernetesObject } from '@binnacle/apimachinery/meta';

const ENDED: ReadonlySet<string> = new Set(['Succeeded', 'Failed']);

/** Whether the pod has ended, or is being deleted. */
export function isOver(pod: Readonly<KubernetesObject>): boolean {
  return ENDED.has(phaseOf(pod)) || pod.metadata.deletionTimestamp !== undefined;
}

/** Whether the pod's phase is Pending: no container has started. */
export function isPending(pod: Readonly<KubernetesObject>): boolean {
  return phaseOf(pod) === 'Pending';
}

export function isReady(pod: Readonly<KubernetesObject>): boolean {
  const conditions = asKind<Pod>(pod).status?.conditions ?? [];
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}

/** Sets one condition. Its transition time changes only with its status. Upstream: `podutil.UpdatePodCondition`. */
export function withCondition(
  conditions: readonly PodCondition[] | undefined,
  condition: Omit<PodCondition, 'lastTransitionTime'>,
  time: string,
): PodCondition[] {
  const before = conditions?.find(({ type }) => type === condition.type);
  const lastTransitionTime = before?.status === condition.status ? (before.lastTransitionTime ?? time) : time;
  const set: PodCondition = { ...condition, lastTransitionTime };
  if (before === undefined) return [...(conditions ?? []), set];
  return (conditions ?? []).map((held) => (held === before ? set : held));
}

function phaseOf(pod: Readonly<KubernetesObject>): string {
  return asKind<Pod>(pod).status?.phase ?? '';
}
