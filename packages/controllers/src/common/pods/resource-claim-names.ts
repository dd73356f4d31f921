import type { Pod, PodResourceClaim } from '@binnacle/client/kinds/core/v1';

/** Of an entry of a pod's spec: the name of its ResourceClaim, that it needs none, or that its claim is still to be made. */
export type ClaimName = { readonly name: string } | 'notNeeded' | 'unknown';

/** Reads the status of the pod once, so that looking up all its entries is linear. */
export function claimNamesOfEntries({ status }: Pod): (entry: PodResourceClaim) => ClaimName {
  const known = new Map(status?.resourceClaimStatuses?.map((each) => [each.name, each]));
  return ({ name, resourceClaimName }) => {
    if (resourceClaimName !== undefined) return { name: resourceClaimName };
    const found = known.get(name);
    if (found === undefined) return 'unknown';
    return found.resourceClaimName === undefined ? 'notNeeded' : { name: found.resourceClaimName };
  };
}
