import { finishInTurns } from '@binnacle/apimachinery/turns';
import { messageOf } from '@binnacle/apimachinery/errors';
import { Controller, controllerOf, type ReconcileRequest, type ReconcileResult } from '@binnacle/client/controller';
import { Deployment, ReplicaSet } from '@binnacle/client/kinds/apps/v1';
import { Pod } from '@binnacle/client/kinds/core/v1';
import { hasCause, isAlreadyExists } from '@binnacle/client/rest';
import {
  claimable,
  claimObjects,
  controlledBy,
  controllerIndexes,
  isPodTerminal,
  orphanRequests,
  type OwnerContext,
  prepareTemplateHash,
  reconcileOwner,
  recordEvents,
  requeue,
  selectorOf,
} from '../common/index.js';
import type { CreateLoop, LoopContext } from '../loop/index.js';
import type { PlannedSet } from './draft.js';
import { isRecreate } from './limits.js';
import { type DeploymentPlan, planDeployment, type SeenDeployment } from './plan.js';
import { withProgressing } from './progress.js';
import { hasTemplate, newSetOf } from './sets.js';

/** Upstream: `--concurrent-deployment-syncs`. */
const CONCURRENCY = 5;

/** Upstream: kubernetes `pkg/controller/deployment`. */
export const createDeploymentLoop: CreateLoop = (context) => {
  const { informers, events } = context;
  const recorder = events.recorder({ component: 'deployment-controller' });
  const deployments = () => informers.informer(Deployment).lister;
  return new Controller({
    name: 'deployment',
    for: Deployment,
    owns: [ReplicaSet],
    watches: [
      { resource: ReplicaSet, map: orphanRequests(deployments, ({ spec }) => selectorOf(spec?.selector)) },
      { resource: Pod, map: recreatedBy(context), predicate: ({ type }) => type === 'delete' },
    ],
    reads: [
      { resource: ReplicaSet, indexes: controllerIndexes },
      { resource: Pod, indexes: controllerIndexes },
    ],
    concurrency: CONCURRENCY,
    reconcile: reconcileOwner({ resource: Deployment, writes: [ReplicaSet], informers }, (deployment, owner) =>
      reconcileDeployment(deployment, { ...owner, recorder }),
    ),
  }).bind(context);
};

/** The Deployment that waits for the pods of its old sets to be gone. */
function recreatedBy({ informers }: LoopContext): (pod: Pod) => ReconcileRequest[] {
  return (pod) => {
    const { namespace = '' } = pod.metadata;
    const ownerOf = controllerOf(pod);
    if (ownerOf?.kind !== 'ReplicaSet') return [];
    const set = informers.informer(ReplicaSet).lister.namespace(namespace).get(ownerOf.name);
    const name = set === undefined ? undefined : controllerOf(set)?.name;
    if (name === undefined) return [];
    const deployment = informers.informer(Deployment).lister.namespace(namespace).get(name);
    return deployment !== undefined && isRecreate(deployment) ? [{ namespace, name }] : [];
  };
}

async function reconcileDeployment(deployment: Deployment, context: OwnerContext): Promise<ReconcileResult | void> {
  if (Object.keys(deployment.spec?.selector ?? {}).length === 0) return refuseEmptySelector(deployment, context);
  const seen = await see(deployment, context);
  const plan = planDeployment(seen);
  return (await act(plan, deployment, context)) ? requeue(plan.requeueAfter) : undefined;
}

async function see(deployment: Deployment, { writer, indexer, clock }: OwnerContext): Promise<SeenDeployment> {
  const selector = selectorOf(deployment.spec?.selector);
  const sets = await claimObjects(writer, {
    owner: deployment,
    ownerResource: Deployment,
    resource: ReplicaSet,
    isSelected: ({ metadata }) => selector.matches(metadata.labels),
    candidates: claimable(indexer(ReplicaSet), deployment),
  });
  const hasOtherPods = (newSet: ReplicaSet | undefined) =>
    sets.some(
      (set) =>
        set.metadata.uid !== newSet?.metadata.uid && controlledBy(indexer(Pod), set).some((pod) => !isPodTerminal(pod)),
    );
  const { spec, status } = deployment;
  if (newSetOf(deployment, sets) === undefined)
    await finishInTurns(prepareTemplateHash(spec?.template ?? {}, status?.collisionCount));
  return { deployment, sets, hasOtherPods, now: clock.now() };
}

/** Carries the plan out. Resolves to false if a name was taken, and the next plan has another. */
async function act(plan: DeploymentPlan, deployment: Deployment, context: OwnerContext): Promise<boolean> {
  const { writer, recorder } = context;
  const { create, update, remove, rolledBack, status } = plan;
  if (rolledBack !== undefined) {
    await writer.update(Deployment, rolledBack.deployment);
    recordEvents(recorder, deployment, rolledBack.events);
    return true;
  }
  if (create !== undefined && !(await createSet(create, deployment, context))) return false;
  for (const { set, events } of update) {
    await writer.update(ReplicaSet, set);
    recordEvents(recorder, deployment, events);
  }
  for (const set of remove) await writer.delete(ReplicaSet, set);
  if (status !== undefined) await writer.updateStatus(Deployment, status);
  return true;
}

/** Resolves to false if another set has the name: the status then counts a collision, which changes the name. */
async function createSet(
  { set, events }: PlannedSet,
  deployment: Deployment,
  { writer, recorder, clock }: OwnerContext,
): Promise<boolean> {
  try {
    await writer.create(ReplicaSet, set);
    recordEvents(recorder, deployment, events);
    return true;
  } catch (error) {
    if (isAlreadyExists(error)) {
      const present = await writer.read(ReplicaSet, set);
      const isOwn = controllerOf(present)?.uid === deployment.metadata.uid;
      // The cache does not show it yet; its event is on its way.
      if (isOwn && hasTemplate(present, deployment.spec?.template)) return false;
      await writer.updateStatus(Deployment, collided(deployment));
      return false;
    }
    if (hasCause(error, 'NamespaceTerminating')) throw error;
    const message = `Failed to create new replica set ${JSON.stringify(set.metadata.name ?? '')}: ${messageOf(error)}`;
    recorder.event(deployment, 'Warning', 'ReplicaSetCreateError', message);
    const failed = refused(deployment, message, clock.now());
    if (failed !== undefined) await writer.updateStatus(Deployment, failed);
    throw error;
  }
}

async function refuseEmptySelector(deployment: Deployment, { writer, recorder }: OwnerContext): Promise<void> {
  const message = 'This deployment is selecting all pods. A non-empty selector is required.';
  recorder.event(deployment, 'Warning', 'SelectingAll', message);
  const { generation: observedGeneration = 0 } = deployment.metadata;
  if ((deployment.status?.observedGeneration ?? 0) >= observedGeneration) return;
  await writer.updateStatus(Deployment, { ...deployment, status: { ...deployment.status, observedGeneration } });
}

/** The Deployment after another ReplicaSet had the name: one more collision, which changes the hash of its template. */
function collided(deployment: Deployment): Deployment {
  const { status } = deployment;
  return { ...deployment, status: { ...status, collisionCount: (status?.collisionCount ?? 0) + 1 } };
}

/** The Deployment after the server refused its ReplicaSet; undefined if its status says so already, or has no deadline to say so. */
function refused(deployment: Deployment, message: string, now: number): Deployment | undefined {
  const before = deployment.status?.conditions ?? [];
  const conditions = withProgressing(deployment, before, now, ['False', 'ReplicaSetCreateError', message]) ?? [];
  return conditions === before ? undefined : { ...deployment, status: { ...deployment.status, conditions } };
}
