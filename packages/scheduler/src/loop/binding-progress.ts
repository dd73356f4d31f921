import { annotationOf, reaches, SELECTED_NODE } from '@binnacle/controllers/volumes';
import type { Node, PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import { isBound, notFound, type VolumePlan } from '../plugins/index.js';

/** The objects as the server has them. */
export interface BindingObjects {
  readonly volume: (name: string) => PersistentVolume | undefined;
  /** The present version of this claim. */
  readonly claim: (claim: PersistentVolumeClaim) => PersistentVolumeClaim | undefined;
  readonly node: Node;
}

/**
 * Whether all that a plan wrote is bound. Throws if it never will be, so that the pod needs another attempt. An object in the
 * version that the plan began with is stale. Upstream: `checkBindings`.
 */
export function isComplete({ bindings, provisions }: VolumePlan, objects: BindingObjects): boolean {
  let isAllBound = true;
  for (const {
    volume: { metadata },
    claim,
  } of bindings) {
    const { name = '', resourceVersion } = metadata;
    const volume = objects.volume(name);
    if (volume === undefined) throw new Error(`failed to check binding: ${notFound('persistentvolume', name)}`);
    const present = presentClaim(claim, objects);
    const isReserved = volume.spec?.claimRef?.uid === claim.metadata.uid;
    const isStale = !isReserved && volume.metadata.resourceVersion === resourceVersion;
    if (!isStale) checkReach(volume, objects.node);
    if (!isStale && !isReserved) throw new Error(`ClaimRef got reset for pv ${JSON.stringify(name)}`);
    isAllBound &&= isReserved && isBound(present);
  }
  for (const claim of provisions) isAllBound = isProvisioned(claim, objects) && isAllBound;
  return isAllBound;
}

function isProvisioned(claim: PersistentVolumeClaim, objects: BindingObjects): boolean {
  const present = presentClaim(claim, objects);
  // Stale, or it named the node already and nothing was written.
  if (present.metadata.resourceVersion === claim.metadata.resourceVersion && !isBound(present)) return false;
  if (annotationOf(present, SELECTED_NODE) !== objects.node.metadata.name) {
    throw new Error(`provisioning failed for PVC ${JSON.stringify(claim.metadata.name)}`);
  }
  const { volumeName = '' } = present.spec ?? {};
  const volume = objects.volume(volumeName);
  if (volumeName !== '' && volume === undefined) return false;
  if (volume !== undefined) checkReach(volume, objects.node);
  return isBound(present);
}

function presentClaim(claim: PersistentVolumeClaim, objects: BindingObjects): PersistentVolumeClaim {
  const present = objects.claim(claim);
  if (present !== undefined && present.metadata.uid === claim.metadata.uid) return present;
  throw new Error(`failed to check binding: ${notFound('persistentvolumeclaim', claim.metadata.name ?? '')}`);
}

function checkReach(volume: PersistentVolume, node: Node): void {
  if (reaches(volume, node)) return;
  const [pv, name] = [JSON.stringify(volume.metadata.name), JSON.stringify(node.metadata.name)];
  throw new Error(`pv ${pv} node affinity doesn't match node ${name}: no matching NodeSelectorTerms`);
}
