import { migrationOf } from '@binnacle/api/pods';
import { Quantity } from '@binnacle/apimachinery/quantity';
import type { PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';

/** On claims: the controller that expands their volume. */
export const RESIZER = 'volume.kubernetes.io/storage-resizer';
const PRE_RESIZE_CAPACITY = 'volume.alpha.kubernetes.io/pre-resize-capacity';

export interface ExpandPlan {
  readonly message: string;
  /** The driver to name in the claim; undefined if the claim has it, or needs none. */
  readonly resizer: string | undefined;
}

/** What to report about a bound claim. Undefined: the claim has what it asks for. */
export function planExpansion(claim: PersistentVolumeClaim, volume: PersistentVolume): ExpandPlan | undefined {
  const isWaiting = requestOf(claim).compare(capacityOf(claim)) > 0;
  if (!isWaiting && volume.metadata.annotations?.[PRE_RESIZE_CAPACITY] === undefined) return undefined;
  const migration = migrationOf(volume.spec ?? {});
  if (migration === undefined) {
    return { message: 'waiting for an external controller to expand this PVC', resizer: undefined };
  }
  const { plugin, driver } = migration;
  return {
    message: `CSI migration enabled for ${plugin}; waiting for external resizer to expand the pvc`,
    resizer: claim.metadata.annotations?.[RESIZER] === driver ? undefined : driver,
  };
}

/** Whether a change of a claim asks for an expansion, or reports one. */
export function isGrown(before: PersistentVolumeClaim, claim: PersistentVolumeClaim): boolean {
  return requestOf(claim).compare(requestOf(before)) > 0 || capacityOf(claim).compare(capacityOf(before)) > 0;
}

export function isBound({ status }: PersistentVolumeClaim): boolean {
  return status?.phase === 'Bound';
}

function requestOf({ spec }: PersistentVolumeClaim): Quantity {
  return Quantity.parse(spec?.resources?.requests?.['storage'] ?? '0');
}

function capacityOf({ status }: PersistentVolumeClaim): Quantity {
  return Quantity.parse(status?.capacity?.['storage'] ?? '0');
}
