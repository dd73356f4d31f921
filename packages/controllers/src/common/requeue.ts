import type { ReconcileResult } from '@binnacle/client/controller';

/** Reconciles again after this many milliseconds; undefined: not before the next event. */
export function requeue(milliseconds: number | undefined): ReconcileResult {
  return milliseconds === undefined ? undefined : { requeueAfter: milliseconds };
}
