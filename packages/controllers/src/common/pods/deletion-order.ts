import type { Pod } from '@binnacle/client/kinds/core/v1';
import { isPodActive, isPodReady, readySince, sidecarStatuses, timeOf } from './pod-state.js';

/** Users annotate pods with the cost of their deletion. Pods with a lower cost are deleted first. */
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';

const phaseOrder: ReadonlyMap<string | undefined, number> = new Map([
  ['Pending', 0],
  ['Unknown', 1],
  ['Running', 2],
]);

/**
 * The pods that a set gives up first. `related` are the pods of all sets of the same owner: of two equal pods, the one on the node with more active
 * related pods goes first. Times are compared by their logarithm, and then by uid, so that the choice among pods of about one age is random.
 * Upstream: `ActivePodsWithRanks`.
 */
export function podsToDelete(
  pods: readonly Pod[],
  related: readonly Pod[],
  count: number,
  now: number,
): readonly Pod[] {
  if (count >= pods.length) return pods;
  const crowd = new Map<string, number>();
  for (const pod of related.filter(isPodActive)) crowd.set(nodeOf(pod), (crowd.get(nodeOf(pod)) ?? 0) + 1);
  const ranked = pods.map((pod) => ({ pod, rank: crowd.get(nodeOf(pod)) ?? 0 }));
  return ranked
    .toSorted((one, other) => compare(one, other, now))
    .slice(0, count)
    .map(({ pod }) => pod);
}

interface RankedPod {
  readonly pod: Pod;
  /** Active related pods on its node. */
  readonly rank: number;
}

/** The pods that give way first come first. Times are compared as they are. Upstream: `ActivePods`. */
export function inDeletionOrder(pods: readonly Pod[]): Pod[] {
  return pods.toSorted(
    (one, other) =>
      compareProgress(one, other) ||
      compareLater(one, other, readySince) ||
      compareRestarts(one, other) ||
      compareLater(one, other, ({ metadata }) => timeOf(metadata.creationTimestamp)),
  );
}

/** Unscheduled first, then pending, then unready. */
function compareProgress(one: Pod, other: Pod): number {
  return (
    Number(nodeOf(one) !== '') - Number(nodeOf(other) !== '') ||
    phaseOf(one) - phaseOf(other) ||
    Number(isPodReady(one)) - Number(isPodReady(other))
  );
}

/** A pod without a time first, then the later one. */
function compareLater(one: Pod, other: Pod, timeOfPod: (pod: Pod) => number | undefined): number {
  const [first = Infinity, second = Infinity] = [timeOfPod(one), timeOfPod(other)];
  return first === second ? 0 : second - first;
}

function compare(one: RankedPod, other: RankedPod, now: number): number {
  return (
    compareProgress(one.pod, other.pod) ||
    deletionCost(one.pod) - deletionCost(other.pod) ||
    other.rank - one.rank ||
    compareTimes(one.pod, other.pod, readySince, now) ||
    compareRestarts(one.pod, other.pod) ||
    compareTimes(one.pod, other.pod, ({ metadata }) => timeOf(metadata.creationTimestamp), now)
  );
}

/** A pod without a time first, then the later one; if their ages have the same logarithm, the smaller uid. */
function compareTimes(one: Pod, other: Pod, timeOfPod: (pod: Pod) => number | undefined, now: number): number {
  const [first, second] = [timeOfPod(one), timeOfPod(other)];
  if (first === second) return 0;
  if (first === undefined) return -1;
  if (second === undefined) return 1;
  const { uid: left = '' } = one.metadata;
  const { uid: right = '' } = other.metadata;
  return logarithmOfAge(first, now) - logarithmOfAge(second, now) || (left < right ? -1 : 1);
}

/** The binary logarithm of the age in nanoseconds, like upstream; -1 without an age. */
function logarithmOfAge(time: number, now: number): number {
  const age = (now - time) * 1_000_000;
  return age > 0 ? Math.trunc(Math.log2(age)) : -1;
}

/** More restarts first: of containers, then of sidecars. */
function compareRestarts(one: Pod, other: Pod): number {
  return (
    mostRestarts(other.status?.containerStatuses) - mostRestarts(one.status?.containerStatuses) ||
    mostRestarts(sidecarStatuses(other)) - mostRestarts(sidecarStatuses(one))
  );
}

function mostRestarts(statuses: readonly { readonly restartCount: number }[] = []): number {
  return statuses.reduce((most, { restartCount }) => Math.max(most, restartCount), 0);
}

/** 0 without the annotation, and for a malformed one. */
function deletionCost({ metadata }: Pod): number {
  const text = metadata.annotations?.[DELETION_COST] ?? '';
  if (!/^(0|-\d+|[1-9]\d*)$/.test(text)) return 0;
  const cost = Number(text);
  return cost >= -(2 ** 31) && cost < 2 ** 31 ? cost : 0;
}

/** Any other phase is equal to Pending, like upstream. */
function phaseOf({ status }: Pod): number {
  return phaseOrder.get(status?.phase) ?? 0;
}

function nodeOf({ spec }: Pod): string {
  return spec?.nodeName ?? '';
}
