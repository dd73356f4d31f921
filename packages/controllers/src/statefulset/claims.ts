import type { StatefulSet } from '@binnacle/client/kinds/apps/v1';
import type { PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';
import {
  deletesWhenScaled,
  hasOtherController,
  hasRightOwners,
  hasStaleOwner,
  withRightOwners,
} from './claim-owners.js';
import { claimName, identityOf } from './identity.js';

/** The claim of a name, from the cache. */
export type ClaimCache = (name: string) => PersistentVolumeClaim | undefined;

/** The work on the claims of one pod. */
export interface ClaimsPlan {
  /** Claims that do not exist. */
  readonly create: readonly PersistentVolumeClaim[];
  /** Names of claims that are being deleted: the pod must wait for their successors. */
  readonly deleting: readonly string[];
  /** Claims that need other owners, as they are to be. */
  readonly update: readonly PersistentVolumeClaim[];
  /** Names of claims whose policy is ignored, since another controller owns them. */
  readonly conflicting: readonly string[];
}

export function planClaims(set: StatefulSet, pod: Pod, claimOf: ClaimCache): ClaimsPlan {
  const wanted = claimsFor(set, pod);
  const present = presentClaims(set, pod, claimOf);
  const isNew = ({ metadata }: PersistentVolumeClaim) => claimOf(metadata.name ?? '') === undefined;
  return {
    create: wanted.filter(isNew),
    deleting: present.filter(({ metadata }) => metadata.deletionTimestamp !== undefined).map(nameOf),
    update: present
      .filter((claim) => !hasRightOwners(claim, set, pod))
      .map((claim) => withRightOwners(claim, set, pod)),
    conflicting: present.filter((claim) => hasOtherController(claim, set, pod)).map(nameOf),
  };
}

/** Whether the existing claims of the pod have the owners that the policy gives. */
export function claimsHaveRightOwners(set: StatefulSet, pod: Pod, claimOf: ClaimCache): boolean {
  return presentClaims(set, pod, claimOf).every((claim) => hasRightOwners(claim, set, pod));
}

/** Whether the garbage collector has yet to delete a claim of an earlier pod of this name. */
export function hasStaleClaim(set: StatefulSet, pod: Pod, claimOf: ClaimCache): boolean {
  return deletesWhenScaled(set) && presentClaims(set, pod, claimOf).some((claim) => hasStaleOwner(claim, pod));
}

function presentClaims(set: StatefulSet, pod: Pod, claimOf: ClaimCache): PersistentVolumeClaim[] {
  return claimsFor(set, pod)
    .map(({ metadata }) => claimOf(metadata.name ?? ''))
    .filter((claim) => claim !== undefined);
}

/** The claims that the templates of the set give to a pod. */
function claimsFor(set: StatefulSet, pod: Pod): PersistentVolumeClaim[] {
  const { ordinal } = identityOf(pod);
  const { namespace = '' } = set.metadata;
  const { matchLabels } = set.spec?.selector ?? {};
  return (set.spec?.volumeClaimTemplates ?? []).map((template) => {
    const labels = { ...template.metadata.labels, ...matchLabels };
    const name = claimName(set, template, ordinal);
    const metadata = { ...template.metadata, name, namespace, labels };
    return { ...template, apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata };
  });
}

function nameOf({ metadata }: PersistentVolumeClaim): string {
  return metadata.name ?? '';
}
