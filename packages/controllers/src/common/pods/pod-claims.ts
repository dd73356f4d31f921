import type { Indexer } from '@binnacle/client/cache';
import { isControlledBy } from '@binnacle/client/controller';
import type { PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';

const BY_CLAIM = 'claim';

function byClaim(pod: Pod): string[] {
  return claimNames(pod).map((name) => keyOf(pod.metadata.namespace, name));
}

function keyOf(namespace = '', name = ''): string {
  return `${namespace}/${name}`;
}

/** For `reads` of a controller: the index that {@link podsNaming} looks up. All loops share it. Upstream: `PodPVCIndex`. */
export const podClaimIndexes = { [BY_CLAIM]: byClaim };

/** The pods whose volumes name a claim of their namespace. */
export function podsNaming(indexer: Indexer<Pod>, namespace: string | undefined, claim: string | undefined): Pod[] {
  return indexer.byIndex(BY_CLAIM, keyOf(namespace, claim));
}

/** The names of the claims that the volumes of a pod name. */
export function claimNames(pod: Pod): string[] {
  return (pod.spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim !== undefined) return [persistentVolumeClaim.claimName];
    return ephemeral === undefined ? [] : [ephemeralClaimName(pod, name)];
  });
}

/** The name of the claim of an ephemeral volume. Any claim can have it: see {@link isClaimOfPod}. */
export function ephemeralClaimName({ metadata }: Pod, volume: string): string {
  return `${metadata.name ?? ''}-${volume}`;
}

/** Whether a claim with the name of an ephemeral volume's is the pod's own. Upstream: `ephemeral.VolumeIsForPod`. */
export function isClaimOfPod(claim: PersistentVolumeClaim, pod: Pod): boolean {
  return claim.metadata.namespace === pod.metadata.namespace && isControlledBy(claim, pod);
}
