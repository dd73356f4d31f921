import { parseTime } from '@binnacle/apimachinery/time';
import type { Pod } from '@binnacle/client/kinds/core/v1';

type ContainerStatus = NonNullable<NonNullable<Pod['status']>['initContainerStatuses']>[number];
type PodCondition = NonNullable<NonNullable<Pod['status']>['conditions']>[number];

export function isPodTerminal({ status }: Pod): boolean {
  return status?.phase === 'Failed' || status?.phase === 'Succeeded';
}

/** Neither ended nor being deleted. */
export function isPodActive(pod: Pod): boolean {
  return !isPodTerminal(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** Being deleted, with containers that may still run. */
export function isPodTerminating(pod: Pod): boolean {
  return !isPodTerminal(pod) && pod.metadata.deletionTimestamp !== undefined;
}

export function isPodReady(pod: Pod): boolean {
  return readyCondition(pod)?.status === 'True';
}

/** When the pod became ready, in milliseconds since the epoch; undefined if it is not ready. */
export function readySince(pod: Pod): number | undefined {
  const condition = readyCondition(pod);
  if (condition?.status !== 'True' || condition.lastTransitionTime === undefined) return undefined;
  return timeOf(condition.lastTransitionTime);
}

/** Whether the pod has been ready for as long as its workload demands. `now`: milliseconds since the epoch. */
export function isPodAvailable(pod: Pod, minReadySeconds: number, now: number): boolean {
  if (!isPodReady(pod)) return false;
  if (minReadySeconds === 0) return true;
  const since = readySince(pod);
  return since !== undefined && since + minReadySeconds * 1000 <= now;
}

/** Milliseconds until the next of these pods becomes available; undefined if none is about to. */
export function nextAvailability(pods: readonly Pod[], minReadySeconds: number, now: number): number | undefined {
  if (minReadySeconds <= 0) return undefined;
  const waits = pods
    .map(readySince)
    .filter((since) => since !== undefined)
    .map((since) => since + minReadySeconds * 1000 - now)
    .filter((wait) => wait > 0);
  return waits.length === 0 ? undefined : waits.reduce((least, wait) => Math.min(least, wait));
}

/** The init containers that run beside the others. */
export function sidecarsOf({ spec }: Pod) {
  return spec?.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always') ?? [];
}

export function sidecarStatuses(pod: Pod): readonly ContainerStatus[] {
  const names = new Set(sidecarsOf(pod).map(({ name }) => name));
  return pod.status?.initContainerStatuses?.filter(({ name }) => names.has(name)) ?? [];
}

/** Milliseconds since the epoch; undefined for a missing or malformed time. */
export function timeOf(text: string | null | undefined): number | undefined {
  if (text === undefined || text === null) return undefined;
  try {
    return parseTime(text);
  } catch {
    return undefined;
  }
}

function readyCondition({ status }: Pod): PodCondition | undefined {
  return status?.conditions?.find(({ type }) => type === 'Ready');
}
