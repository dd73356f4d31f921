import type { PersistentVolumeClaim, Pod, Volume } from '@binnacle/client/kinds/core/v1';
import { controllerReference, ephemeralClaimName, isClaimOfPod } from '../common/index.js';

/** An ephemeral volume of a pod that lacks its claim: the claim to create, or why it cannot be created. */
export type EphemeralPlan =
  | { readonly volume: string; readonly create: PersistentVolumeClaim }
  | { readonly volume: string; readonly conflict: string };

/** Whether the loop has work with a pod at all. */
export function hasEphemeralVolumes({ metadata, spec }: Pod): boolean {
  return metadata.deletionTimestamp === undefined && (spec?.volumes ?? []).some(({ ephemeral }) => ephemeral);
}

/**
 * The claims to create for a pod, in the order of its volumes. The list ends at a claim of the same name that is not the pod's. `claimOf` looks up
 * a claim of the pod's namespace.
 */
export function planClaims(pod: Pod, claimOf: (name: string) => PersistentVolumeClaim | undefined): EphemeralPlan[] {
  const plans: EphemeralPlan[] = [];
  if (!hasEphemeralVolumes(pod)) return plans;
  for (const volume of pod.spec?.volumes ?? []) {
    if (volume.ephemeral === undefined) continue;
    const name = ephemeralClaimName(pod, volume.name);
    const claim = claimOf(name);
    if (claim === undefined) plans.push({ volume: volume.name, create: claimFor(pod, volume, name) });
    else if (!isClaimOfPod(claim, pod)) return [...plans, { volume: volume.name, conflict: conflictText(pod, name) }];
  }
  return plans;
}

function claimFor(pod: Pod, { ephemeral }: Volume, name: string): PersistentVolumeClaim {
  const { metadata: { labels, annotations } = {}, spec } = ephemeral?.volumeClaimTemplate ?? {};
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name,
      ...(pod.metadata.namespace === undefined ? {} : { namespace: pod.metadata.namespace }),
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: [controllerReference(pod)],
    },
    ...(spec === undefined ? {} : { spec }),
  };
}

function conflictText({ metadata: { namespace = '', name: pod = '' } }: Pod, name: string): string {
  return `PVC ${namespace}/${name} was not created for pod ${namespace}/${pod} (pod is not owner)`;
}
