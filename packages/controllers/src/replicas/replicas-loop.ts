import { messageOf } from '@binnacle/apimachinery/errors';
import { Controller, type ReconcileResult } from '@binnacle/client/controller';
import { Pod } from '@binnacle/client/kinds/core/v1';
import {
  claimable,
  claimObjects,
  controlledBy,
  controllerIndexes,
  createPod,
  deletePod,
  isPodActive,
  isPodTerminating,
  orphanRequests,
  type OwnerContext,
  podFromTemplate,
  reconcileOwner,
  requeue,
  siblingsOf,
  slowStart,
} from '../common/index.js';
import type { ControlLoop, CreateLoop, LoopContext } from '../loop/index.js';
import { availabilityCheck, planReplicas, type ReplicasPlan, replicasStatus, type SeenReplicas } from './plan.js';
import { type Replicas, type ReplicasKind, replicaSets, replicationControllers } from './replicas.js';

/** Upstream: `--concurrent-replicaset-syncs`. */
const CONCURRENCY = 5;

export const createReplicaSetLoop: CreateLoop = (context) => createLoop(replicaSets, context);

export const createReplicationControllerLoop: CreateLoop = (context) => createLoop(replicationControllers, context);

function createLoop<S extends Replicas>(
  kind: ReplicasKind<S>,
  { informers, events, ...context }: LoopContext,
): ControlLoop {
  const { resource, component, selectorOf } = kind;
  const recorder = events.recorder({ component });
  return new Controller({
    name: resource.kind.toLowerCase(),
    for: resource,
    owns: [Pod],
    watches: [{ resource: Pod, map: orphanRequests(() => informers.informer(resource).lister, selectorOf) }],
    reads: [
      { resource: Pod, indexes: controllerIndexes },
      { resource, indexes: controllerIndexes },
    ],
    concurrency: CONCURRENCY,
    reconcile: reconcileOwner({ resource, writes: [Pod], informers }, (set, owner) =>
      reconcileSet(kind, set, { ...owner, recorder }),
    ),
  }).bind({ ...context, informers, events });
}

async function reconcileSet<S extends Replicas>(
  kind: ReplicasKind<S>,
  set: S,
  context: OwnerContext,
): Promise<ReconcileResult> {
  const seen = await see(kind, set, context);
  const failure = await act(planReplicas(seen), set, context);
  await context.writer.changeStatus(kind.resource, set, replicasStatus(seen, failure && messageOf(failure.error)));
  if (failure !== undefined) throw failure.error;
  return requeue(availabilityCheck(seen));
}

async function see<S extends Replicas>(kind: ReplicasKind<S>, set: S, context: OwnerContext): Promise<SeenReplicas> {
  const { writer, indexer, clock } = context;
  const { resource, selectorOf, reportsTerminatingReplicas } = kind;
  const pods = indexer(Pod);
  const selector = selectorOf(set);
  const isSelected = ({ metadata }: Pod) => selector.matches(metadata.labels);
  const active = await claimObjects(writer, {
    owner: set,
    ownerResource: resource,
    resource: Pod,
    isSelected,
    candidates: claimable(pods, set).filter(isPodActive),
  });
  const terminating = controlledBy(pods, set).filter((pod) => isPodTerminating(pod) && isSelected(pod)).length;
  return {
    set,
    active,
    terminating: reportsTerminatingReplicas ? terminating : undefined,
    related: () => relatedPods(kind, set, context),
    now: clock.now(),
  };
}

function relatedPods<S extends Replicas>({ resource }: ReplicasKind<S>, set: S, { indexer }: OwnerContext): Pod[] {
  return siblingsOf(indexer(resource), set).flatMap((each) => controlledBy(indexer(Pod), each));
}

/** Carries the plan out. Resolves to the first failure, if any. */
async function act(
  { create, remove }: ReplicasPlan,
  owner: Replicas,
  { writer, recorder }: OwnerContext,
): Promise<{ readonly error: unknown } | undefined> {
  const control = { writer, recorder, owner };
  const pod = podFromTemplate(owner.spec?.template, owner);
  const { error } = await slowStart(create, () => createPod(control, pod));
  const deletions = await Promise.allSettled(remove.map((each) => deletePod(control, each)));
  const refused = deletions.find((result) => result.status === 'rejected')?.reason as unknown;
  const first = error ?? refused;
  return first === undefined ? undefined : { error: first };
}
