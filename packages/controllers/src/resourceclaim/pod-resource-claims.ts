import { isControlledBy } from '@binnacle/client/controller';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import type { ResourceClaim } from '@binnacle/client/kinds/resource/v1';
import { claimNamesOfEntries, isPodTerminal } from '../common/index.js';

/** The annotation of a claim that was made from a template: the entry of the pod's spec that it is for. */
export const POD_CLAIM_NAME = 'resource.kubernetes.io/pod-claim-name';

/** The names of all claims of a pod that are known, the scheduler's claim for extended resources among them. */
export function claimNamesOf(pod: Pod): string[] {
  const nameOf = claimNamesOfEntries(pod);
  const names = (pod.spec?.resourceClaims ?? []).flatMap((entry) => {
    const found = nameOf(entry);
    return typeof found === 'string' ? [] : [found.name];
  });
  const { resourceClaimName } = pod.status?.extendedResourceClaimStatus ?? {};
  return [...new Set(resourceClaimName === undefined ? names : [...names, resourceClaimName])];
}

/** The claims that were made for entries of the pod, by the names of the entries. The pod's status may not have them yet. */
export function claimsMadeFor(pod: Pod, owned: readonly ResourceClaim[]): ReadonlyMap<string, ResourceClaim> {
  const made = new Map<string, ResourceClaim>();
  for (const claim of owned) {
    const entry = claim.metadata.annotations?.[POD_CLAIM_NAME];
    if (entry !== undefined && !made.has(entry) && isControlledBy(claim, pod)) made.set(entry, claim);
  }
  return made;
}

/** No container of the pod runs, and none ever will. */
export function isPodDone(pod: Pod): boolean {
  return isPodTerminal(pod) || (pod.metadata.deletionTimestamp !== undefined && (pod.spec?.nodeName ?? '') === '');
}
