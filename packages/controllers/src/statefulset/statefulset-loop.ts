import { Controller, type ReconcileRequest, type ReconcileResult } from '@binnacle/client/controller';
import { ControllerRevision, StatefulSet } from '@binnacle/client/kinds/apps/v1';
import { PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';
import {
  claimable,
  claimObjects,
  controllerIndexes,
  createRevision,
  orphanRequests,
  type OwnerContext,
  reconcileOwner,
  requeue,
  selectorOf,
  sortRevisions,
  templateOfRevision,
} from '../common/index.js';
import type { CreateLoop, LoopContext } from '../loop/index.js';
import { actInPhases, deletePod, type SetControl } from './act.js';
import { isMember } from './identity.js';
import type { Revision } from './new-pod.js';
import { planStatefulSet, type StatefulSetPlan } from './plan.js';
import { newRevision, planRevision, revisionsToDelete } from './revisions.js';
import { isWorthWriting } from './status.js';

/** Upstream: `--concurrent-statefulset-syncs`. */
const CONCURRENCY = 5;

/** Upstream: kubernetes `pkg/controller/statefulset`. */
export const createStatefulSetLoop: CreateLoop = (context) => {
  const { informers, events } = context;
  const recorder = events.recorder({ component: 'statefulset-controller' });
  const sets = () => informers.informer(StatefulSet).lister;
  const writes = [Pod, ControllerRevision, PersistentVolumeClaim];
  return new Controller({
    name: 'statefulset',
    for: StatefulSet,
    owns: [Pod, ControllerRevision],
    watches: [
      { resource: Pod, map: orphanRequests(sets, ({ spec }) => selectorOf(spec?.selector)) },
      { resource: PersistentVolumeClaim, map: setsOfClaim(context) },
    ],
    reads: [
      { resource: Pod, indexes: controllerIndexes },
      { resource: ControllerRevision, indexes: controllerIndexes },
    ],
    concurrency: CONCURRENCY,
    reconcile: reconcileOwner({ resource: StatefulSet, writes, informers }, (set, owner) =>
      reconcileSet(set, { ...owner, recorder }),
    ),
  }).bind(context);
};

/** The sets whose templates give a claim its name. A claim need not have owners. */
function setsOfClaim({ informers }: LoopContext): (claim: PersistentVolumeClaim) => ReconcileRequest[] {
  return ({ metadata: { name = '', namespace = '' } }) =>
    informers
      .informer(StatefulSet)
      .lister.namespace(namespace)
      .list()
      .filter(({ metadata, spec }) =>
        spec?.volumeClaimTemplates?.some((template) => {
          const prefix = `${template.metadata.name ?? ''}-${metadata.name ?? ''}-`;
          return name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length));
        }),
      )
      .map((set) => ({ namespace, name: set.metadata.name ?? '' }));
}

async function reconcileSet(set: StatefulSet, context: OwnerContext): Promise<ReconcileResult | void> {
  const { writer, recorder, lister, clock } = context;
  const { namespace = '' } = set.metadata;
  const revisions = await claimRevisions(set, context);
  const pods = await claimPods(set, context);
  const { current, update, collisionCount } = await reviseSet(set, revisions, context);
  const claims = lister(PersistentVolumeClaim).namespace(namespace);
  const now = clock.now();
  const claimOf = (name: string) => claims.get(name);
  const plan = planStatefulSet({ set, pods, current, update, collisionCount, claimOf, now });
  const failure = await act({ writer, recorder, set }, plan);
  const live = [current.name, update.name];
  for (const revision of revisionsToDelete(set, revisions, pods, live)) {
    await writer.delete(ControllerRevision, revision);
  }
  if (failure !== undefined) throw failure.error;
  return requeue(plan.requeueAfter);
}

async function claimPods(set: StatefulSet, { writer, indexer }: OwnerContext): Promise<Pod[]> {
  const selector = selectorOf(set.spec?.selector);
  return claimObjects(writer, {
    owner: set,
    ownerResource: StatefulSet,
    resource: Pod,
    isSelected: (pod) => selector.matches(pod.metadata.labels) && isMember(set, pod),
    candidates: claimable(indexer(Pod), set),
  });
}

/** Revisions are adopted, and never released. */
async function claimRevisions(set: StatefulSet, { writer, indexer }: OwnerContext): Promise<ControllerRevision[]> {
  const selector = selectorOf(set.spec?.selector);
  const isSelected = ({ metadata }: ControllerRevision) => selector.matches(metadata.labels);
  const claimed = await claimObjects(writer, {
    owner: set,
    ownerResource: StatefulSet,
    resource: ControllerRevision,
    isSelected,
    candidates: claimable(indexer(ControllerRevision), set).filter(isSelected),
  });
  return sortRevisions(claimed);
}

interface Revised {
  readonly current: Revision;
  readonly update: Revision;
  readonly collisionCount: number;
}

/** Records the state of the set in its history. */
async function reviseSet(
  set: StatefulSet,
  revisions: readonly ControllerRevision[],
  { writer }: OwnerContext,
): Promise<Revised> {
  const plan = planRevision(set, revisions);
  let collisionCount = set.status?.collisionCount ?? 0;
  let update: ControllerRevision | undefined;
  if (plan.type === 'keep') update = plan.revision;
  if (plan.type === 'renumber') update = await writer.update(ControllerRevision, plan.revision);
  if (plan.type === 'create') {
    update = await createRevision(writer, newRevision(set, plan.number, collisionCount));
    while (update === undefined) update = await createRevision(writer, newRevision(set, plan.number, ++collisionCount));
  }
  if (update === undefined) throw new Error('no revision');
  const current = revisions.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? update;
  return { current: asRevision(current), update: asRevision(update), collisionCount };
}

function asRevision(revision: ControllerRevision): Revision {
  return { name: revision.metadata.name ?? '', template: templateOfRevision(revision) };
}

/** Carries the plan out and writes the status. Resolves to the first failure, if any. */
async function act(control: SetControl, plan: StatefulSetPlan): Promise<{ readonly error: unknown } | undefined> {
  const { writer, set } = control;
  let { status } = plan;
  let failure: { readonly error: unknown } | undefined;
  try {
    await actInPhases(control, plan);
    if (plan.rollout !== undefined) {
      await deletePod(control, plan.rollout.pod);
      ({ status } = plan.rollout);
    }
  } catch (error) {
    failure = { error };
  }
  if (isWorthWriting(set, status)) {
    try {
      await writer.updateStatus(StatefulSet, { ...set, status });
    } catch (error) {
      failure ??= { error };
    }
  }
  return failure;
}
