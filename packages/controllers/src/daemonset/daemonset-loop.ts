import { finishInTurns } from '@binnacle/apimachinery/turns';
import { Controller, type ReconcileResult } from '@binnacle/client/controller';
import { ControllerRevision, DaemonSet } from '@binnacle/client/kinds/apps/v1';
import { Node, Pod } from '@binnacle/client/kinds/core/v1';
import {
  claimable,
  claimObjects,
  controllerIndexes,
  createPod,
  createRevision,
  deletePod,
  nodeIndexes,
  orphanRequests,
  type OwnerContext,
  prepareTemplateHash,
  reconcileOwner,
  recordEvents,
  requeue,
  selectorOf,
  slowStart,
} from '../common/index.js';
import type { CreateLoop } from '../loop/index.js';
import { HASH } from './daemon-pods.js';
import { hashOf, type HistoryPlan, newRevision, planHistory, revisionsToDelete, withHash } from './history.js';
import { mayMovePods, setsOfNode } from './node-requests.js';
import { type DaemonSetPlan, planDaemonSet } from './plan.js';
import { PodBackoff } from './pod-backoff.js';
import { collided } from './status.js';

/** Upstream: `--concurrent-daemonset-syncs`. */
const CONCURRENCY = 2;

/** Upstream: kubernetes `pkg/controller/daemon`. */
export const createDaemonSetLoop: CreateLoop = (context) => {
  const { informers, events } = context;
  const recorder = events.recorder({ component: 'daemonset-controller' });
  const backoff = new PodBackoff();
  const sets = () => informers.informer(DaemonSet).lister;
  const adopters = orphanRequests(sets, ({ spec }) => selectorOf(spec?.selector));
  const sources = { sets, nodes: () => informers.informer(Node).lister, pods: () => informers.informer(Pod).indexer };
  return new Controller({
    name: 'daemonset',
    for: DaemonSet,
    owns: [Pod, ControllerRevision],
    watches: [
      { resource: Pod, map: adopters },
      { resource: ControllerRevision, map: adopters },
      { resource: Node, map: setsOfNode(sources), predicate: mayMovePods },
    ],
    reads: [
      { resource: Pod, indexes: { ...controllerIndexes, ...nodeIndexes } },
      { resource: ControllerRevision, indexes: controllerIndexes },
    ],
    concurrency: CONCURRENCY,
    reconcile: reconcileOwner({ resource: DaemonSet, writes: [Pod, ControllerRevision], informers }, (set, owner) =>
      reconcileSet(set, backoff, { ...owner, recorder }),
    ),
  }).bind(context);
};

async function reconcileSet(
  set: DaemonSet,
  backoff: PodBackoff,
  context: OwnerContext,
): Promise<ReconcileResult | void> {
  const { writer, recorder, lister, clock } = context;
  if (Object.keys(set.spec?.selector ?? {}).length === 0) {
    const message = 'This daemon set is selecting all pods. A non-empty selector is required.';
    recorder.event(set, 'Warning', 'SelectingAll', message);
    return undefined;
  }
  // Its pods and revisions are being deleted or orphaned, so any count would be wrong.
  if (set.metadata.deletionTimestamp !== undefined) return undefined;
  const pods = await claim(set, Pod, context);
  const history = planHistory(set, await claimRevisions(set, context));
  const current = await reviseSet(set, history, pods, context);
  if (current === undefined) return undefined;
  const now = clock.now();
  const keyOf = (node: string) => `${set.metadata.uid ?? ''}/${set.status?.observedGeneration ?? 0}/${node}`;
  const backoffOf = (node: string) => backoff.left(keyOf(node), now);
  const plan = planDaemonSet({ set, nodes: lister(Node).list(), pods, hash: hashOf(current), backoffOf, now });
  for (const node of plan.failedNodes) backoff.next(keyOf(node), now);
  const failure = await act(plan, set, context);
  if (failure === undefined) {
    for (const revision of revisionsToDelete(set, history.old, pods)) await writer.delete(ControllerRevision, revision);
  }
  await writer.changeStatus(DaemonSet, set, plan.status);
  if (failure !== undefined) throw failure.error;
  return requeue(plan.requeueAfter);
}

async function claim<T extends Pod | ControllerRevision>(
  set: DaemonSet,
  resource: Parameters<typeof claimObjects<DaemonSet, T>>[1]['resource'],
  { writer, indexer }: OwnerContext,
): Promise<T[]> {
  const selector = selectorOf(set.spec?.selector);
  return claimObjects(writer, {
    owner: set,
    ownerResource: DaemonSet,
    resource,
    isSelected: ({ metadata }) => selector.matches(metadata.labels),
    candidates: claimable(indexer(resource), set),
  });
}

/** Each gets a hash label if it has none. */
async function claimRevisions(set: DaemonSet, context: OwnerContext): Promise<ControllerRevision[]> {
  const revisions: ControllerRevision[] = [];
  for (const revision of await claim(set, ControllerRevision, context)) {
    const isLabelled = hashOf(revision) !== '';
    revisions.push(isLabelled ? revision : await context.writer.update(ControllerRevision, withHash(revision)));
  }
  return revisions;
}

/** Makes the template the latest revision. Resolves to undefined if the name is taken: the status then counts a collision, which changes it. */
async function reviseSet(
  set: DaemonSet,
  { current, duplicates, number }: HistoryPlan,
  pods: readonly Pod[],
  { writer }: OwnerContext,
): Promise<ControllerRevision | undefined> {
  if (current === undefined) {
    await finishInTurns(prepareTemplateHash(set.spec?.template ?? {}, set.status?.collisionCount));
    const created = await createRevision(writer, newRevision(set, number));
    if (created !== undefined) return created;
    await writer.updateStatus(DaemonSet, { ...set, status: collided(set) });
    return undefined;
  }
  const hash = hashOf(current);
  const relabelled = duplicates.length === 0 ? [] : pods.filter(({ metadata }) => metadata.labels?.[HASH] !== hash);
  for (const pod of relabelled) {
    await writer.patch(Pod, pod, { metadata: { uid: pod.metadata.uid ?? '', labels: { [HASH]: hash } } });
  }
  for (const revision of duplicates) await writer.delete(ControllerRevision, revision);
  if (current.revision < number) return writer.update(ControllerRevision, { ...current, revision: number });
  return current;
}

/** Carries the plan out. Resolves to the failure that kept it from doing so in full. */
async function act(
  { create, remove, events }: DaemonSetPlan,
  owner: DaemonSet,
  { writer, recorder }: OwnerContext,
): Promise<{ readonly error: unknown } | undefined> {
  const control = { writer, recorder, owner };
  recordEvents(recorder, owner, events);
  const { succeeded, error } = await slowStart(create.length, async (index) => {
    const pod = create[index];
    if (pod !== undefined) await createPod(control, pod);
  });
  const deletions = await Promise.allSettled(remove.map((pod) => deletePod(control, pod)));
  if (succeeded < create.length) return { error };
  const refused = deletions.find((result) => result.status === 'rejected');
  return refused && { error: refused.reason as unknown };
}
