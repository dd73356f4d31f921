import type { Namespace } from '@binnacle/client/kinds/core/v1';

/** What the API server puts into `spec.finalizers`, for this loop to take out. */
export const FINALIZER = 'kubernetes';

/** It is going away, and waits for this loop. */
export function isWaiting({ metadata, spec }: Namespace): boolean {
  return metadata.deletionTimestamp !== undefined && (spec?.finalizers ?? []).includes(FINALIZER);
}
