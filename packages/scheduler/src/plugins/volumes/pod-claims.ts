import { ephemeralClaimName } from '@binnacle/controllers/common';
import { PersistentVolumeClaim, type Pod } from '@binnacle/client/kinds/core/v1';
import type { ClusterEvent, PodFacts } from '../../framework/index.js';
import { isOf } from '../objects.js';

/** A claim that a volume of a pod names. */
export interface NamedClaim {
  readonly name: string;
  /** The claim must be the pod's own. */
  readonly isEphemeral: boolean;
}

export function namedClaims(pod: Pod): readonly NamedClaim[] {
  return (pod.spec?.volumes ?? []).flatMap<NamedClaim>(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim !== undefined) return [{ name: persistentVolumeClaim.claimName, isEphemeral: false }];
    return ephemeral === undefined ? [] : [{ name: ephemeralClaimName(pod, name), isEphemeral: true }];
  });
}

/** The claims that the pod did not create with itself. */
export function persistentClaimNames({ volumes = [] }: PodFacts['spec']): string[] {
  return volumes.flatMap(({ persistentVolumeClaim: claim }) => (claim === undefined ? [] : [claim.claimName]));
}

/** Whether the pod names the claim of an event. */
export function namesClaim({ pod, namespace }: PodFacts, { after }: ClusterEvent): boolean {
  if (!isOf(PersistentVolumeClaim, after) || after.metadata.namespace !== namespace) return false;
  return namedClaims(pod).some(({ name }) => name === after.metadata.name);
}

/** The text of upstream's listers for a missing object. */
export function notFound(
  resource: 'persistentvolumeclaim' | 'persistentvolume' | 'storageclass.storage.k8s.io',
  name: string,
) {
  return `${resource} ${JSON.stringify(name)} not found`;
}

/** The error for an ephemeral volume whose claim belongs to another pod. Upstream: `ephemeral.VolumeIsForPod`. */
export function notOwner({ namespace, name }: PodFacts, claim: string): string {
  return `PVC ${namespace}/${claim} was not created for pod ${namespace}/${name} (pod is not owner)`;
}
