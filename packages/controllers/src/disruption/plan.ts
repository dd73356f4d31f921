import { formatTime } from '@binnacle/apimachinery/time';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import type { Condition } from '@binnacle/client/kinds/meta/v1';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '@binnacle/client/kinds/policy/v1';
import { findCondition, isPodReady, keepTransition, timeOf } from '../common/index.js';
import type { ExpectedPods } from './expected-pods.js';

/** How long an evicted pod may take until its deletion shows. Upstream: `DeletionTimeout`. */
const DELETION_MILLISECONDS = 120_000;

const CONDITION = 'DisruptionAllowed';

export interface SeenBudget {
  readonly budget: PodDisruptionBudget;
  /** The pods that it selects. */
  readonly pods: readonly Pod[];
  readonly count: ExpectedPods;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface BudgetPlan {
  readonly status: PodDisruptionBudgetStatus;
  /** Pods whose eviction was allowed, and which are still there. */
  readonly notDeleted: readonly Pod[];
  /** Milliseconds until the next of the evicted pods is late. */
  readonly requeueAfter: number | undefined;
}

export function planBudget({ budget, pods, count, now }: SeenBudget): BudgetPlan {
  const disrupted = disruptedPods(budget, pods, now);
  const currentHealthy = pods.filter(
    (pod) => !isDeleted(pod) && !isLeaving(budget, pod, now) && isPodReady(pod),
  ).length;
  const { desiredHealthy, expected: expectedPods } = count;
  // Without expected pods, the first pods may have come since the controller looked.
  const disruptionsAllowed = expectedPods > 0 ? Math.max(0, currentHealthy - desiredHealthy) : 0;
  const { generation } = budget.metadata;
  const observed = generation === undefined ? {} : { observedGeneration: generation };
  const condition =
    disruptionsAllowed > 0
      ? { ...observed, status: 'True', reason: 'SufficientPods', message: '' }
      : { ...observed, status: 'False', reason: 'InsufficientPods', message: '' };
  return {
    status: {
      ...observed,
      ...(Object.keys(disrupted.pods).length === 0 ? {} : { disruptedPods: disrupted.pods }),
      disruptionsAllowed,
      currentHealthy,
      desiredHealthy,
      expectedPods,
      conditions: withAllowance(budget, condition, now),
    },
    notDeleted: disrupted.late,
    requeueAfter: disrupted.next,
  };
}

/** The status of a budget that cannot be computed: no eviction is safe. */
export function failedStatus(budget: PodDisruptionBudget, message: string, now: number): PodDisruptionBudgetStatus {
  const { status } = budget;
  const { observedGeneration } = status ?? {};
  const observed = observedGeneration === undefined ? {} : { observedGeneration };
  const condition = { ...observed, status: 'False', reason: 'SyncFailed', message };
  return {
    currentHealthy: 0,
    desiredHealthy: 0,
    expectedPods: 0,
    ...status,
    disruptionsAllowed: 0,
    conditions: withAllowance(budget, condition, now),
  };
}

function withAllowance(
  { status }: PodDisruptionBudget,
  condition: Omit<Condition, 'type' | 'lastTransitionTime'>,
  now: number,
): readonly Condition[] {
  const present = status?.conditions ?? [];
  const before = findCondition(present, CONDITION);
  const after = keepTransition(before, { type: CONDITION, ...condition, lastTransitionTime: formatTime(now) });
  return before === undefined ? [...present, after] : present.map((each) => (each === before ? after : each));
}

/** The evictions that the server has allowed and whose deletion does not show yet. */
function disruptedPods(
  { status }: PodDisruptionBudget,
  pods: readonly Pod[],
  now: number,
): { readonly pods: Record<string, string>; readonly late: Pod[]; readonly next: number | undefined } {
  const kept = new Map<string, string>();
  const late: Pod[] = [];
  let next: number | undefined;
  for (const pod of pods) {
    const since = sinceOf(status?.disruptedPods, pod);
    if (since === undefined || isDeleted(pod)) continue;
    const left = since.at + DELETION_MILLISECONDS - now;
    if (left < 0) {
      late.push(pod);
      continue;
    }
    kept.set(pod.metadata.name ?? '', since.text);
    // The moment after, as the pod is late then.
    next = Math.min(next ?? Infinity, left + 1);
  }
  return { pods: Object.fromEntries(kept), late, next };
}

function isLeaving({ status }: PodDisruptionBudget, pod: Pod, now: number): boolean {
  const since = sinceOf(status?.disruptedPods, pod);
  return since !== undefined && since.at + DELETION_MILLISECONDS > now;
}

function isDeleted({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function sinceOf(
  disrupted: Readonly<Record<string, string>> | undefined,
  { metadata: { name = '' } }: Pod,
): { readonly text: string; readonly at: number } | undefined {
  const text = disrupted !== undefined && Object.hasOwn(disrupted, name) ? disrupted[name] : undefined;
  return text === undefined ? undefined : { text, at: timeOf(text) ?? 0 };
}
