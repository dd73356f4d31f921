import type { PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';
import { ephemeralClaimName, isClaimOfPod } from '../common/index.js';

/** Admission gives it to every claim. */
export const FINALIZER = 'kubernetes.io/pvc-protection';

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
    const isItsOwn = ephemeral !== undefined && ephemeralClaimName(pod, volume) === name && isClaimOfPod(claim, pod);
    return isItsOwn && !isShutDown(pod);
  });
}

/** The kubelet is done with the pod, or the pod was deleted by force. Its claims may go, for a finalizer of the pod may wait for them. */
function isShutDown({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0;
}
