import type { PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';
import { hasFinalizer, isControlledBy } from '@binnacle/client/controller';

/** Admission gives it to every claim. */
export const FINALIZER = 'kubernetes.io/pvc-protection';

/** What a claim needs: the finalizer, or a look whether pods use it before the finalizer goes. Undefined: nothing. */
export type ProtectionPlan = 'add' | 'removeIfUnused' | undefined;

export function planProtection(claim: PersistentVolumeClaim): ProtectionPlan {
  const isProtected = hasFinalizer(claim, FINALIZER);
  if (claim.metadata.deletionTimestamp === undefined) return isProtected ? undefined : 'add';
  return isProtected ? 'removeIfUnused' : undefined;
}

/**
 * Whether a pod keeps a claim of its namespace from being deleted. A pod that no node has yet does not: its kubelet would not start it with a
 * claim that is being deleted.
 */
export function usesClaim(pod: Pod, claim: PersistentVolumeClaim): boolean {
  const { nodeName = '', volumes = [] } = pod.spec ?? {};
  const name = claim.metadata.name ?? '';
  if (nodeName === '') return false;
  return volumes.some(({ name: volume, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim?.claimName === name) return true;
    const isItsOwn = ephemeral !== undefined && ephemeralClaim(pod, volume) === name && isControlledBy(claim, pod);
    return isItsOwn && !isShutDown(pod);
  });
}

/** The names of the claims that the volumes of a pod name. */
export function claimNames(pod: Pod): string[] {
  return (pod.spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim !== undefined) return [persistentVolumeClaim.claimName];
    return ephemeral === undefined ? [] : [ephemeralClaim(pod, name)];
  });
}

function ephemeralClaim({ metadata }: Pod, volume: string): string {
  return `${metadata.name ?? ''}-${volume}`;
}

/** The kubelet is done with the pod, or the pod was deleted by force. Its claims may go, for a finalizer of the pod may wait for them. */
function isShutDown({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0;
}
