import { deepEqual } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import type { Deployment, DeploymentStatus, ReplicaSet } from '@binnacle/client/kinds/apps/v1';
import { findCondition, type PlannedEvent, withCondition, withoutCondition } from '../common/index.js';
import { nextRevision, REVISION, rollbackRequest } from './annotations.js';
import { allSets, change, type Draft, type PlannedSet, resize, scalingEvent } from './draft.js';
import { historyLimit, isRecreate } from './limits.js';
import { adjustedSet, createdSet } from './new-set.js';
import { deadlineCheck, progressConditions, withPause, withProgressing } from './progress.js';
import { rollBack } from './rollback.js';
import { newSetReplicas, shrinkOldSets } from './rolling.js';
import { isScaled, scaleSets } from './scaling.js';
import { activeSets, byAge, byRevision, newSetOf, replicasOf, sumOf } from './sets.js';
import { isComplete, replicaFailure, statusOf } from './status.js';

/** What the caches show of a Deployment. */
export interface SeenDeployment {
  readonly deployment: Deployment;
  /** The sets that it controls. */
  readonly sets: readonly ReplicaSet[];
  /** Whether a pod of a set other than the given one has not ended. Only `Recreate` asks. */
  readonly hasOtherPods: (newSet: ReplicaSet | undefined) => boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** In the order in which it is carried out. */
export interface DeploymentPlan {
  readonly create: PlannedSet | undefined;
  readonly update: readonly PlannedSet[];
  readonly remove: readonly ReplicaSet[];
  /** The Deployment with a new template or without a request to roll back; excludes all of the others. */
  readonly rolledBack: { readonly deployment: Deployment; readonly events: readonly PlannedEvent[] } | undefined;
  /** The Deployment with its new status and revision; undefined if both stay. */
  readonly status: Deployment | undefined;
  readonly requeueAfter: number | undefined;
}

/** The README has the table. */
export function planDeployment(seen: SeenDeployment): DeploymentPlan {
  const { deployment } = seen;
  const draft = beginDraft(seen);
  if (deployment.metadata.deletionTimestamp !== undefined) return finish(draft, [], scaledStatus(draft));
  draft.conditions = withPause(deployment, draft.conditions, seen.now);
  findNewSet(draft);
  const isPaused = deployment.spec?.paused === true;
  const request = rollbackRequest(deployment);
  if (!isPaused && request !== undefined) return rollBackStep(draft, seen, request);
  if (isPaused || isScaled(deployment, allSets(draft))) {
    for (const size of scaleSets(deployment, draft.newSet, draft.oldSets)) resize(draft, size);
    return finish(draft, isPaused && request === undefined ? surplusSets(draft) : [], scaledStatus(draft));
  }
  const isIdle = isRecreate(deployment) ? recreate(draft, seen) : rollOn(draft);
  const remove = isIdle && isComplete(deployment, deployment.status) ? surplusSets(draft) : [];
  const status = rolloutStatus(draft);
  return { ...finish(draft, remove, status), requeueAfter: deadlineCheck(deployment, status, seen.now) };
}

const NOTHING: DeploymentPlan = {
  create: undefined,
  update: [],
  remove: [],
  rolledBack: undefined,
  status: undefined,
  requeueAfter: undefined,
};

function beginDraft({ deployment, sets, now }: SeenDeployment): Draft {
  const newSet = newSetOf(deployment, sets);
  return {
    deployment,
    now,
    oldSets: sets.filter((set) => set !== newSet).toSorted(byAge),
    newSet,
    isCreated: false,
    conditions: deployment.status?.conditions,
    revision: undefined,
    changed: new Map(),
  };
}

/** The set of the current template exists and has its revision before the Deployment leaves it for an earlier one. */
function rollBackStep(draft: Draft, { deployment, sets }: SeenDeployment, request: bigint): DeploymentPlan {
  if (draft.newSet === undefined) createNewSet(draft);
  const { uid } = draft.newSet?.metadata ?? {};
  const current = sets.find(({ metadata }) => metadata.uid === uid);
  const isNumbered = current?.metadata.annotations?.[REVISION] === draft.revision;
  if (!isNumbered) return finish(draft, [], scaledStatus(draft));
  return { ...NOTHING, rolledBack: rollBack(deployment, sets, request) };
}

/** Gives the set of the current template the annotations and the revision of this rollout. */
function findNewSet(draft: Draft): void {
  const { deployment, newSet, oldSets, now } = draft;
  if (newSet === undefined) return;
  const adjusted = adjustedSet(deployment, newSet, nextRevision(oldSets));
  if (adjusted !== newSet) change(draft, adjusted);
  draft.revision = adjusted.metadata.annotations?.[REVISION];
  if (findCondition(draft.conditions, 'Progressing') !== undefined) return;
  const message = `Found new replica set ${JSON.stringify(adjusted.metadata.name ?? '')}`;
  draft.conditions = withProgressing(deployment, draft.conditions, now, ['True', 'FoundNewReplicaSet', message]);
}

function createNewSet(draft: Draft): ReplicaSet {
  const { deployment, oldSets, now } = draft;
  const revision = nextRevision(oldSets);
  const set = createdSet(deployment, oldSets, revision);
  const { name = '' } = set.metadata;
  draft.newSet = set;
  draft.isCreated = true;
  draft.revision = String(revision);
  const replicas = replicasOf(set);
  change(draft, set, ...(replicas === 0 ? [] : [scalingEvent(name, 0, replicas)]));
  const message = `Created new replica set ${JSON.stringify(name)}`;
  draft.conditions = withProgressing(deployment, draft.conditions, now, ['True', 'NewReplicaSetCreated', message]);
  return set;
}

/** One step of a rolling update: the new set grows, or else the old ones shrink. Returns whether neither did. */
function rollOn(draft: Draft): boolean {
  const { deployment } = draft;
  const newSet = draft.newSet ?? createNewSet(draft);
  const replicas = newSetReplicas(deployment, allSets(draft), replicasOf(newSet));
  if (resize(draft, { set: newSet, replicas, recordsSize: false })) return false;
  const shrinks = shrinkOldSets(deployment, draft.oldSets, newSet);
  for (const { set, to } of shrinks) {
    const current = draft.oldSets.find(({ metadata }) => metadata.name === set.metadata.name) ?? set;
    resize(draft, { set: current, replicas: to, recordsSize: false });
  }
  return shrinks.length === 0;
}

/** One step of `Recreate`: the old sets lose all pods, and once those have ended the new set gets its own. */
function recreate(draft: Draft, { hasOtherPods }: SeenDeployment): boolean {
  const { deployment } = draft;
  const active = activeSets(draft.oldSets);
  for (const set of active) resize(draft, { set, replicas: 0, recordsSize: false });
  if (active.length > 0) return false;
  if (sumOf(draft.oldSets, ({ status }) => status?.replicas) > 0 || hasOtherPods(draft.newSet)) return false;
  const set = draft.newSet ?? createNewSet(draft);
  resize(draft, { set, replicas: replicasOf(deployment), recordsSize: false });
  return true;
}

/** The oldest sets beyond the history limit, unless they have pods or are about to change. */
function surplusSets({ deployment, oldSets }: Draft): ReplicaSet[] {
  const limit = historyLimit(deployment);
  const alive = oldSets.filter(({ metadata }) => metadata.deletionTimestamp === undefined).toSorted(byRevision);
  if (limit === undefined || alive.length <= limit) return [];
  return alive.slice(0, alive.length - limit).filter((set) => {
    const { replicas = 0, observedGeneration = 0 } = set.status ?? {};
    return replicas === 0 && replicasOf(set) === 0 && (set.metadata.generation ?? 0) <= observedGeneration;
  });
}

/** The status of a Deployment that is scaled, paused or deleted: its progress is not judged. */
function scaledStatus(draft: Draft): DeploymentStatus {
  return statusOf(draft.deployment, allSets(draft), draft.newSet, draft.conditions, draft.now);
}

function rolloutStatus(draft: Draft): DeploymentStatus {
  const { deployment, newSet, now } = draft;
  const after = scaledStatus(draft);
  const before = { ...deployment.status, conditions: draft.conditions ?? [] };
  const failure = replicaFailure(allSets(draft), newSet);
  const judged = progressConditions(deployment, before, after, newSet, now);
  const conditions =
    failure === undefined ? withoutCondition(judged, 'ReplicaFailure') : withCondition(judged, failure);
  return { ...after, conditions };
}

function finish(draft: Draft, remove: readonly ReplicaSet[], status: DeploymentStatus): DeploymentPlan {
  const { deployment, revision, changed, newSet, isCreated } = draft;
  const created = isCreated ? changed.get(newSet?.metadata.name ?? '') : undefined;
  const annotations = deployment.metadata.annotations ?? {};
  const isNumbered = revision === undefined || annotations[REVISION] === revision;
  const isSame = isNumbered && deepEqual(asJson(deployment.status ?? {}), asJson(status));
  const metadata = isNumbered
    ? deployment.metadata
    : { ...deployment.metadata, annotations: { ...annotations, [REVISION]: revision } };
  return {
    ...NOTHING,
    create: created,
    update: [...changed.values()].filter((planned) => planned !== created),
    remove,
    status: isSame ? undefined : { ...deployment, metadata, status },
  };
}
