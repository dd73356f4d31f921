import type { StatefulSet } from '@binnacle/client/kinds/apps/v1';
import type { PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';
import type { OwnerReference, TypedObject } from '@binnacle/client/typed';
import { controllerReference } from '../common/index.js';
import { identityOf, isInRange } from './identity.js';

/** Whether the set and the pod own a claim, so that it is deleted with them. */
interface Owners {
  readonly set: boolean;
  readonly pod: boolean;
}

/** The owners that the retention policy gives to the claim of a pod. A pod owns its claim only once scaling has condemned it. */
function wantedOwners(set: StatefulSet, pod: Pod): Owners {
  const { whenDeleted, whenScaled } = set.spec?.persistentVolumeClaimRetentionPolicy ?? {};
  const isCondemned = !isInRange(set, identityOf(pod).ordinal);
  const ownedByPod = whenScaled === 'Delete' && isCondemned;
  return { set: whenDeleted === 'Delete' && !ownedByPod, pod: ownedByPod };
}

/** Whether scaling deletes claims, so that one of an earlier pod must go before its successor is created. */
export function deletesWhenScaled({ spec }: StatefulSet): boolean {
  return spec?.persistentVolumeClaimRetentionPolicy?.whenScaled === 'Delete';
}

/**
 * Whether the owners of a claim are those that the policy gives. A claim with a stale reference is left to the garbage collector, so it counts as
 * right, as does one that another controller owns alone. Upstream: `isClaimOwnerUpToDate`.
 */
export function hasRightOwners(claim: PersistentVolumeClaim, set: StatefulSet, pod: Pod): boolean {
  if (hasStaleOwner(claim, set) || hasStaleOwner(claim, pod)) return true;
  const [bySet, byPod] = [isOwnedBy(claim, set), isOwnedBy(claim, pod)];
  if (hasOtherController(claim, set, pod)) return !bySet && !byPod;
  if (ownersOf(claim).some(({ uid, controller }) => isOneOf(uid, set, pod) && controller !== true)) return false;
  const wanted = wantedOwners(set, pod);
  return bySet === wanted.set && byPod === wanted.pod;
}

/** The claim with the owners that the policy gives; without set and pod if another controller owns it. */
export function withRightOwners(claim: PersistentVolumeClaim, set: StatefulSet, pod: Pod): PersistentVolumeClaim {
  const others = ownersOf(claim).filter((owner) => !names(owner, set) && !names(owner, pod));
  const wanted = hasOtherController(claim, set, pod) ? { set: false, pod: false } : wantedOwners(set, pod);
  const ownerReferences = [
    ...others,
    ...(wanted.set ? [controllerReference(set)] : []),
    ...(wanted.pod ? [controllerReference(pod)] : []),
  ];
  return { ...claim, metadata: { ...claim.metadata, ownerReferences } };
}

/** Whether a policy that deletes claims meets a claim that another object controls. A former set or pod of the name counts as another object. */
export function hasOtherController(claim: PersistentVolumeClaim, set: StatefulSet, pod: Pod): boolean {
  const { whenDeleted, whenScaled } = set.spec?.persistentVolumeClaimRetentionPolicy ?? {};
  if (whenDeleted !== 'Delete' && whenScaled !== 'Delete') return false;
  return ownersOf(claim).some((owner) => {
    if (names(owner, set)) return owner.uid !== set.metadata.uid;
    if (names(owner, pod)) return owner.uid !== pod.metadata.uid;
    return owner.controller === true;
  });
}

/** Whether the claim is owned by an earlier object of the same kind and name. */
export function hasStaleOwner(claim: PersistentVolumeClaim, owner: TypedObject): boolean {
  const named = ownersOf(claim).find((reference) => names(reference, owner));
  return named !== undefined && named.uid !== owner.metadata.uid;
}

function isOwnedBy(claim: PersistentVolumeClaim, { metadata }: TypedObject): boolean {
  return ownersOf(claim).some(({ uid }) => uid === metadata.uid);
}

function isOneOf(uid: string, set: StatefulSet, pod: Pod): boolean {
  return uid === set.metadata.uid || uid === pod.metadata.uid;
}

function names({ apiVersion, kind, name }: OwnerReference, owner: TypedObject): boolean {
  return apiVersion === owner.apiVersion && kind === owner.kind && name === owner.metadata.name;
}

function ownersOf({ metadata }: PersistentVolumeClaim): readonly OwnerReference[] {
  return metadata.ownerReferences ?? [];
}
