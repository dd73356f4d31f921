import { claimNamesOfEntries } from '@binnacle/controllers/common';
import { isControlledBy } from '@binnacle/client/controller';
import type { ResourceClaim } from '@binnacle/client/kinds/resource/v1';
import type { PodFacts } from '../../framework/index.js';

/** Finds the claim of a name. */
export type FindClaim = (namespace: string, name: string) => ResourceClaim | undefined;

/**
 * The resource claims of a pod, in the order of its spec, or why one of them is missing. An entry that needs no claim has
 * none. Upstream: `foreachPodResourceClaim`.
 */
export function resourceClaimsOf({ pod, namespace, name }: PodFacts, find: FindClaim): ResourceClaim[] | string {
  const claims: ResourceClaim[] = [];
  const nameOf = claimNamesOfEntries(pod);
  for (const entry of pod.spec?.resourceClaims ?? []) {
    const named = nameOf(entry);
    if (named === 'notNeeded') continue;
    if (named === 'unknown') return `pod "${namespace}/${name}": ResourceClaim not created yet`;
    const claim = find(namespace, named.name);
    if (claim === undefined) return `could not find ResourceClaim ${JSON.stringify(`${namespace}/${named.name}`)}`;
    if (claim.metadata.deletionTimestamp !== undefined) {
      return `resourceclaim ${JSON.stringify(named.name)} is being deleted`;
    }
    const isGenerated = entry.resourceClaimName === undefined;
    if (isGenerated && !isControlledBy(claim, pod)) {
      return `ResourceClaim ${namespace}/${named.name} was not created for Pod ${namespace}/${name} (Pod is not owner)`;
    }
    claims.push(claim);
  }
  return claims;
}
