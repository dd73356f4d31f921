import type { StatefulSet, StatefulSetStatus } from '@binnacle/client/kinds/apps/v1';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { isPodAvailable, isPodTerminal, nextAvailability } from '../common/index.js';
import { type ClaimCache, type ClaimsPlan, claimsHaveRightOwners, hasStaleClaim, planClaims } from './claims.js';
import { endOf, hasIdentity, identityOf, isInRange, revisionOf, startOf, withIdentity } from './identity.js';
import { hasStorage, newPod, type Revision, withStorage } from './new-pod.js';
import { countPods, isRunningAndReady, statusOf } from './status.js';

/** The view of a set that the caches give. */
export interface SeenStatefulSet {
  readonly set: StatefulSet;
  /** The pods that the set has. */
  readonly pods: readonly Pod[];
  readonly current: Revision;
  readonly update: Revision;
  readonly collisionCount: number;
  readonly claimOf: ClaimCache;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** One step for one pod. */
export type PodAction =
  | { readonly type: 'create'; readonly pod: Pod; readonly claims: ClaimsPlan }
  | { readonly type: 'delete'; readonly pod: Pod }
  /** Creates missing claims and corrects the owners of the others. */
  | { readonly type: 'claims'; readonly pod: Pod; readonly claims: ClaimsPlan }
  /** Only corrects the owners of claims. */
  | { readonly type: 'owners'; readonly pod: Pod; readonly claims: ClaimsPlan }
  /** `changed`: the pod as it is to be; undefined if only its claims change. */
  | { readonly type: 'update'; readonly pod: Pod; readonly changed: Pod | undefined; readonly claims: ClaimsPlan };

export interface StatefulSetPlan {
  /** Whether actions of a phase run one after the other; else in growing batches. A failure ends the plan. */
  readonly isOrdered: boolean;
  readonly phases: readonly (readonly PodAction[])[];
  readonly status: StatefulSetStatus;
  /** After all phases: a pod to delete, so that its successor has the update revision, and the status then. */
  readonly rollout: { readonly pod: Pod; readonly status: StatefulSetStatus } | undefined;
  /** Milliseconds until a pod becomes available. */
  readonly requeueAfter: number | undefined;
}

/** A parallel set creates at most as many pods before it looks again, as a ReplicaSet does. */
const BURST = 500;

export function planStatefulSet(seen: SeenStatefulSet): StatefulSetPlan {
  const { set, pods, current, update, collisionCount, now } = seen;
  const sorted = sortPods(seen);
  const minReadySeconds = set.spec?.minReadySeconds ?? 0;
  const names = { current: current.name, update: update.name, collisionCount };
  const counts = countPods([...sorted.present, ...sorted.condemned], names, minReadySeconds, now);
  const { phases, isBlocked } =
    set.metadata.deletionTimestamp === undefined ? planPhases(seen, sorted) : { phases: [], isBlocked: true };
  const old = isBlocked ? undefined : podToReplace(seen, sorted);
  const isWaiting = minReadySeconds > 0 && counts.readyReplicas !== counts.availableReplicas;
  return {
    isOrdered: isOrdered(set),
    phases,
    status: statusOf(set, counts, names),
    rollout: old && {
      pod: old,
      status: statusOf(set, { ...counts, currentReplicas: counts.currentReplicas - 1 }, names),
    },
    requeueAfter: isWaiting ? (nextAvailability(pods, minReadySeconds, now) ?? minReadySeconds * 1000) : undefined,
  };
}

function isOrdered({ spec }: StatefulSet): boolean {
  return spec?.podManagementPolicy !== 'Parallel';
}

/** A set has at most 2^31 - 1 replicas. A plan costs what the pods that exist and the creations of one pass cost. */
interface SortedPods {
  /** In range, by ordinal, in ascending order. Pods without a phase are to be created. */
  readonly inRange: ReadonlyMap<number, Pod>;
  /** Those in range that the server has given a phase. */
  readonly present: readonly Pod[];
  /** Out of range, the highest ordinal first. */
  readonly condemned: readonly Pod[];
}

function sortPods({ set, pods }: SeenStatefulSet): SortedPods {
  const inRange: [number, Pod][] = [];
  const condemned: [number, Pod][] = [];
  for (const pod of pods) {
    const { ordinal } = identityOf(pod);
    if (isInRange(set, ordinal)) inRange.push([ordinal, pod]);
    else if (ordinal >= 0) condemned.push([ordinal, pod]);
  }
  inRange.sort(([one], [other]) => one - other);
  condemned.sort(([one], [other]) => other - one);
  const present = inRange.map(([, pod]) => pod).filter(isCreated);
  return { inRange: new Map(inRange), present, condemned: condemned.map(([, pod]) => pod) };
}

/** The pods in range in ascending order, with new ones for the first missing ordinals. */
function* replicas({ set, current, update }: SeenStatefulSet, { inRange }: SortedPods): Generator<Pod> {
  const end = endOf(set);
  let creations = creationsOfPass(set);
  let next = startOf(set);
  for (const [ordinal, pod] of [...inRange, [end, undefined] as const]) {
    for (; next < ordinal && creations > 0; next++, creations--) yield newPod(set, current, update, next);
    if (pod !== undefined) yield pod;
    next = ordinal + 1;
  }
}

/** A claim costs as much as a pod. */
function creationsOfPass({ spec }: StatefulSet): number {
  return Math.ceil(BURST / (1 + (spec?.volumeClaimTemplates ?? []).length));
}

/** The server gives every pod a phase. */
function isCreated({ status }: Pod): boolean {
  return (status?.phase ?? '') !== '';
}

function isTerminating({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function isUnavailable({ set, now }: SeenStatefulSet, pod: Pod): boolean {
  return !isPodAvailable(pod, set.spec?.minReadySeconds ?? 0, now) || isTerminating(pod);
}

/** In order, the phases end at the first pod that others must wait for. */
function planPhases(
  seen: SeenStatefulSet,
  sorted: SortedPods,
): { readonly phases: PodAction[][]; readonly isBlocked: boolean } {
  const { condemned } = sorted;
  const isBlocking = isOrdered(seen.set);
  const actions: PodAction[] = [];
  const phases = [actions];
  for (const pod of replicas(seen, sorted)) {
    const step = planReplica(seen, pod);
    if (step.action !== undefined) actions.push(step.action);
    if (step.isBlocked && isBlocking) return { phases, isBlocked: true };
  }
  phases.push(condemned.flatMap((pod) => ownersAction(seen, pod)));
  const deletions: PodAction[] = [];
  phases.push(deletions);
  // The pods of an ordered set are all there: a missing one blocks the plan above.
  const firstUnavailable = [...sorted.present, ...condemned.toReversed()].find((pod) => isUnavailable(seen, pod));
  for (const pod of condemned) {
    const mayGo = !isBlocking || pod === firstUnavailable || (isRunningAndReady(pod) && !isUnavailable(seen, pod));
    if (!isTerminating(pod) && mayGo) deletions.push({ type: 'delete', pod });
    if (isBlocking) return { phases, isBlocked: true };
  }
  return { phases, isBlocked: false };
}

interface ReplicaStep {
  readonly action?: PodAction;
  /** Its successors wait for it, if the set is ordered. */
  readonly isBlocked: boolean;
}

function planReplica(seen: SeenStatefulSet, pod: Pod): ReplicaStep {
  const { set, claimOf } = seen;
  if (isPodTerminal(pod))
    return isTerminating(pod) ? { isBlocked: true } : { action: { type: 'delete', pod }, isBlocked: true };
  if (!isCreated(pod)) {
    if (hasStaleClaim(set, pod, claimOf)) return { isBlocked: true };
    return { action: { type: 'create', pod, claims: planClaims(set, pod, claimOf) }, isBlocked: true };
  }
  if (pod.status?.phase === 'Pending') return { ...pendingStep(seen, pod), isBlocked: true };
  if (isOrdered(set) && (!isRunningAndReady(pod) || isUnavailable(seen, pod))) return { isBlocked: true };
  const action = updateAction(seen, pod);
  return { ...(action && { action }), isBlocked: false };
}

/** A pod may be pending because its claims are missing. */
function pendingStep(seen: SeenStatefulSet, pod: Pod): { readonly action?: PodAction } {
  const { set, claimOf } = seen;
  const claims = planClaims(set, pod, claimOf);
  const isNeeded = Object.values(claims).some((list: readonly unknown[]) => list.length > 0);
  if (isNeeded) return { action: { type: 'claims', pod, claims } };
  const action = isOrdered(set) ? undefined : updateAction(seen, pod);
  return action === undefined ? {} : { action };
}

/** Gives a pod back the identity, storage and claims of its ordinal. */
function updateAction({ set, claimOf }: SeenStatefulSet, pod: Pod): PodAction | undefined {
  const named = hasIdentity(set, pod) ? pod : withIdentity(set, pod);
  const isStored = hasStorage(set, named);
  const changed = isStored ? named : withStorage(set, named);
  if (changed === pod && claimsHaveRightOwners(set, pod, claimOf)) return undefined;
  const claims = planClaims(set, named, claimOf);
  const needed = isStored ? { ...claims, create: [], deleting: [] } : claims;
  return { type: 'update', pod, changed: changed === pod ? undefined : changed, claims: needed };
}

function ownersAction({ set, claimOf }: SeenStatefulSet, pod: Pod): PodAction[] {
  if (claimsHaveRightOwners(set, pod, claimOf)) return [];
  return [{ type: 'owners', pod, claims: planClaims(set, pod, claimOf) }];
}

/** The highest pod of another revision, unless one above it is still missing or unavailable. */
function podToReplace(seen: SeenStatefulSet, { inRange }: SortedPods): Pod | undefined {
  const { set } = seen;
  const { type, rollingUpdate } = set.spec?.updateStrategy ?? {};
  if (type === 'OnDelete') return undefined;
  const first = startOf(set) + (rollingUpdate?.partition ?? 0);
  for (let ordinal = endOf(set) - 1; ordinal >= first; ordinal--) {
    const pod = inRange.get(ordinal);
    if (pod === undefined) return undefined;
    if (revisionOf(pod) !== seen.update.name && !isTerminating(pod)) return pod;
    if (isUnavailable(seen, pod)) return undefined;
  }
  return undefined;
}
