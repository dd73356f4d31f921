import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '@binnacle/api/types/policy-v1';
import {
  type LabelSelector,
  LabelSelectorError,
  labelSelectorFromObject,
  nothing,
} from '@binnacle/apimachinery/labels';
import { asKind, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { forbidden, notFound, StatusError, tooManyRequests } from '@binnacle/apimachinery/status';
import { formatTime } from '@binnacle/apimachinery/time';
import { type KindReader, POD_DISRUPTION_BUDGETS, type Stores, type WriteScope } from '../registry/index.js';

/** The maximum of evictions that the budget's controller has not observed. More suggest that no controller runs. */
const MAXIMUM_DISRUPTED_PODS = 2000;
const REFUSAL = "Cannot evict pod as it would violate the pod's disruption budget.";
const RETRY_SECONDS = 10;
const BUDGET = { group: 'policy', resource: 'poddisruptionbudget' };

/** The budgets that select the pod. */
export async function budgetsOf(
  pod: Readonly<KubernetesObject>,
  namespace: string,
  budgets: Pick<KindReader<PodDisruptionBudget>, 'list'>,
): Promise<PodDisruptionBudget[]> {
  const all = await budgets.list(namespace);
  return all.filter((budget) => selectorOf(budget).matches(pod.metadata.labels));
}

/** An invalid selector selects nothing. */
function selectorOf(budget: PodDisruptionBudget): LabelSelector {
  try {
    return labelSelectorFromObject(budget.spec?.selector);
  } catch (error) {
    if (error instanceof LabelSelectorError) return nothing;
    throw error;
  }
}

/** Whether the policy allows the eviction of a pod that is not ready without taking a disruption. */
export function allowsUnhealthyEviction({ spec, status }: PodDisruptionBudget): boolean {
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const desired = status?.desiredHealthy ?? 0;
  return desired > 0 && (status?.currentHealthy ?? 0) >= desired;
}

/** Takes one disruption off the budget. Throws 429 when none is left. */
export async function claimDisruption(
  pod: Readonly<KubernetesObject>,
  budget: PodDisruptionBudget,
  scope: WriteScope,
  stores: Stores,
  now: number,
): Promise<void> {
  const name = budget.metadata?.name ?? '';
  const podName = pod.metadata.name ?? '';
  await stores.find(POD_DISRUPTION_BUDGETS)?.update(scope, {
    name,
    strategy: {},
    transform: (current) => {
      if (current === undefined) throw notFound(BUDGET, name);
      takeDisruption(current, podName, formatTime(now));
      return current;
    },
  });
}

/** Records the eviction in the budget's status. Throws 429 or 403. */
export function takeDisruption(current: KubernetesObject, podName: string, time: string): void {
  const name = current.metadata.name ?? '';
  const { status } = asKind<PodDisruptionBudget>(current);
  if (status === undefined || (status.observedGeneration ?? 0) < (current.metadata.generation ?? 0)) {
    throw stillProcessing(name);
  }
  const { disruptionsAllowed: allowed = 0, disruptedPods = {} } = status;
  if (allowed < 0) throw forbidden(BUDGET, name, 'pdb disruptions allowed is negative');
  if (Object.keys(disruptedPods).length > MAXIMUM_DISRUPTED_PODS) {
    const reason = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
    throw forbidden(BUDGET, name, reason);
  }
  if (allowed === 0) {
    throw refusal(0, `The disruption budget ${name} ${reasonOf(status)}`);
  }
  status.disruptionsAllowed = allowed - 1;
  status.disruptedPods = { ...disruptedPods, [podName]: time };
  if (allowed === 1) reportExhausted(status, time);
}

/** The reason why a budget allows no disruption. Its counts are invalid while its controller reports a failure. */
function reasonOf(status: PodDisruptionBudgetStatus): string {
  const { desiredHealthy = 0, currentHealthy = 0 } = status;
  const denial = (status.conditions ?? []).find(({ type }) => type === 'DisruptionAllowed');
  const message = denial?.status === 'False' ? denial.message : '';
  const denies = 'does not allow evicting pods currently';
  if (message !== '' && denial?.reason === 'SyncFailed') return `${denies} because it failed sync: ${message}`;
  if (currentHealthy <= desiredHealthy)
    return `needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  return message === '' ? denies : `${denies} (${denial?.reason ?? ''}): ${message}`;
}

function reportExhausted(status: PodDisruptionBudgetStatus, time: string): void {
  const conditions = status.conditions ?? [];
  const before = conditions.find(({ type }) => type === 'DisruptionAllowed');
  const after = {
    type: 'DisruptionAllowed',
    status: 'False',
    observedGeneration: status.observedGeneration ?? 0,
    lastTransitionTime: before?.status === 'False' ? before.lastTransitionTime : time,
    reason: 'InsufficientPods',
    message: '',
  };
  status.conditions =
    before === undefined ? [...conditions, after] : conditions.map((held) => (held === before ? after : held));
}

/** The error for a budget whose controller has not observed the latest change. */
export function stillProcessing(name: string): StatusError {
  return refusal(RETRY_SECONDS, `The disruption budget ${name} is still being processed by the server.`);
}

function refusal(retryAfterSeconds: number, message: string): StatusError {
  const { status } = tooManyRequests(REFUSAL, retryAfterSeconds);
  return new StatusError({
    ...status,
    details: {
      causes: [{ reason: 'DisruptionBudget', message }],
      ...(retryAfterSeconds === 0 ? {} : { retryAfterSeconds }),
    },
  });
}
