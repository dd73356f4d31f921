import { isControlledBy } from '@binnacle/client/controller';
import type { Pod, PodResourceClaim } from '@binnacle/client/kinds/core/v1';
import type { ResourceClaim } from '@binnacle/client/kinds/resource/v1';
import { isPodTerminal } from '../common/index.js';

/** On claims that were made from a template: the entry of the pod's spec that they are for. */
export const POD_CLAIM_NAME = 'resource.kubernetes.io/pod-claim-name';

/** Of an entry of a pod's spec: the name of its claim, that it needs none, or that its claim is still to be made. */
export type ClaimName = { readonly name: string } | 'notNeeded' | 'unknown';

export function claimNameOf({ status }: Pod, entry: PodResourceClaim): ClaimName {
  if (entry.resourceClaimName !== undefined) return { name: entry.resourceClaimName };
  const known = status?.resourceClaimStatuses?.find(({ name }) => name === entry.name);
  if (known === undefined) return 'unknown';
  return known.resourceClaimName === undefined ? 'notNeeded' : { name: known.resourceClaimName };
}

/** The names of all claims of a pod that are known, the scheduler's claim for extended resources among them. */
export function claimNamesOf(pod: Pod): string[] {
  const names = (pod.spec?.resourceClaims ?? []).flatMap((entry) => {
    const found = claimNameOf(pod, entry);
    return typeof found === 'string' ? [] : [found.name];
  });
  const { resourceClaimName } = pod.status?.extendedResourceClaimStatus ?? {};
  return [...new Set(resourceClaimName === undefined ? names : [...names, resourceClaimName])];
}

/** The claim that was made for an entry, and whose name the pod's status may not have yet. */
export function claimMadeFor(
  pod: Pod,
  entry: PodResourceClaim,
  owned: readonly ResourceClaim[],
): ResourceClaim | undefined {
  return owned.find(
    (claim) => isControlledBy(claim, pod) && claim.metadata.annotations?.[POD_CLAIM_NAME] === entry.name,
  );
}

/** No container of the pod runs, and none ever will. */
export function isPodDone(pod: Pod): boolean {
  return isPodTerminal(pod) || (pod.metadata.deletionTimestamp !== undefined && (pod.spec?.nodeName ?? '') === '');
}
