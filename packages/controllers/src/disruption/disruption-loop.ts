import { finishInTurns } from '@binnacle/apimachinery/turns';
import { messageOf } from '@binnacle/apimachinery/errors';
import { Controller, type ReconcileResult, runTogether } from '@binnacle/client/controller';
import type { DiscoveryClient } from '@binnacle/client/discovery';
import type { EventRecorder } from '@binnacle/client/events';
import { Deployment, ReplicaSet, StatefulSet } from '@binnacle/client/kinds/apps/v1';
import { Pod, ReplicationController } from '@binnacle/client/kinds/core/v1';
import { PodDisruptionBudget, type PodDisruptionBudgetStatus } from '@binnacle/client/kinds/policy/v1';
import {
  type OwnerContext,
  reconcileOwner,
  requeue,
  selectObjects,
  selectorText,
  unlessGone,
} from '../common/index.js';
import type { CreateLoop } from '../loop/index.js';
import { budgetRequests } from './budgets-of-pod.js';
import { selectorOfBudget } from './budget-selector.js';
import { scalesFrom } from './controller-scales.js';
import { type ExpectedPods, expectedPods, ExpectedPodsError } from './expected-pods.js';
import { failedStatus, planBudget } from './plan.js';
import { staleAfter, withoutDisruption } from './stale-disruption.js';

/** Upstream's name of the source of these events. */
const COMPONENT = 'controllermanager';

interface Tools extends OwnerContext {
  readonly recorder: EventRecorder;
  readonly discovery: DiscoveryClient;
}

/** Upstream: kubernetes `pkg/controller/disruption`. */
export const createDisruptionLoop: CreateLoop = (context) => {
  const { informers, events, discovery } = context;
  const recorder = events.recorder({ component: COMPONENT });
  const budgets = new Controller({
    name: 'disruption',
    for: PodDisruptionBudget,
    watches: [{ resource: Pod, map: budgetRequests(() => informers.informer(PodDisruptionBudget).lister, recorder) }],
    reads: [ReplicationController, ReplicaSet, Deployment, StatefulSet],
    reconcile: reconcileOwner({ resource: PodDisruptionBudget, writes: [], informers }, (budget, owner) =>
      reconcileBudget(budget, { ...owner, recorder, discovery }),
    ),
  }).bind(context);
  const pods = new Controller({
    name: 'stale_pod_disruption',
    for: Pod,
    predicate: ({ type, object }) => type !== 'delete' && staleAfter(object, 0) !== undefined,
    reconcile: reconcileOwner({ resource: Pod, writes: [], informers }, clearStaleDisruption),
  }).bind(context);
  return { run: (signal) => runTogether([budgets, pods], signal) };
};

async function reconcileBudget(budget: PodDisruptionBudget, tools: Tools): Promise<ReconcileResult> {
  const { recorder, lister, clock } = tools;
  const selector = selectorOfBudget(budget);
  const { namespace = '' } = budget.metadata;
  const pods = await finishInTurns(selectObjects(lister(Pod).namespace(namespace).list(), selector));
  if (pods.length === 0) recorder.event(budget, 'Normal', 'NoPods', 'No matching pods found');
  const count = await countPods(budget, pods, tools);
  if (count === undefined) return undefined;
  if (count.hasUnmanaged) recorder.event(budget, 'Warning', 'UnmanagedPods', unmanagedMessage(budget));
  const { status, notDeleted, requeueAfter } = planBudget({ budget, pods, count, now: clock.now() });
  for (const pod of notDeleted) recorder.event(pod, 'Warning', 'NotDeleted', notDeletedMessage(budget));
  await writeStatus(budget, status, tools);
  return requeue(requeueAfter);
}

/** Resolves to undefined if the number is unknown: the budget then allows no evictions. */
async function countPods(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
  tools: Tools,
): Promise<ExpectedPods | undefined> {
  const { recorder, discovery, clock } = tools;
  try {
    return await expectedPods(budget, pods, scalesFrom(discovery, tools));
  } catch (error) {
    if (tools.signal.aborted) throw error;
    const message = messageOf(error);
    const text = `Failed to calculate the number of expected pods: ${message}`;
    recorder.event(budget, 'Warning', 'CalculateExpectedPodCountFailed', text);
    await writeStatus(budget, failedStatus(budget, message, clock.now()), tools);
    // Another error may pass.
    if (!(error instanceof ExpectedPodsError)) throw error;
    return undefined;
  }
}

async function writeStatus(
  budget: PodDisruptionBudget,
  status: PodDisruptionBudgetStatus,
  { writer }: Tools,
): Promise<void> {
  await unlessGone(writer.changeStatus(PodDisruptionBudget, budget, status));
}

async function clearStaleDisruption(pod: Pod, { writer, clock }: OwnerContext): Promise<ReconcileResult> {
  const now = clock.now();
  const left = staleAfter(pod, now);
  if (left === undefined) return undefined;
  if (left > 0) return { requeueAfter: left };
  await unlessGone(writer.updateStatus(Pod, withoutDisruption(pod, now)));
  return undefined;
}

function unmanagedMessage({ spec }: PodDisruptionBudget): string {
  const selector = selectorText(spec?.selector);
  return (
    `Pods selected by this PodDisruptionBudget (selector: ${selector}) were found to be unmanaged. As a result, the status of the PDB cannot be ` +
    'calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.'
  );
}

/** Upstream names the namespace twice. */
function notDeletedMessage({ metadata: { namespace = '' } }: PodDisruptionBudget): string {
  return `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`;
}
