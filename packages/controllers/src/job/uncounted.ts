import type { JobStatus, UncountedTerminatedPods } from '@binnacle/client/kinds/batch/v1';

/** The uids of pods that have ended, and that the totals do not include yet. */
export interface Uncounted {
  readonly succeeded: readonly string[];
  readonly failed: readonly string[];
}

export interface Totals {
  readonly succeeded: number;
  readonly failed: number;
}

/** Moves pods without the finalizer into the totals: no later reconcile counts them again. Upstream: `cleanUncountedPodsWithoutFinalizers`. */
export function countUntracked(
  { succeeded = 0, failed = 0, uncountedTerminatedPods: before = {} }: JobStatus,
  tracked: ReadonlySet<string>,
): { readonly uncounted: Uncounted; readonly totals: Totals } {
  const [allSucceeded, allFailed] = [before.succeeded ?? [], before.failed ?? []];
  const isTracked = (uid: string) => tracked.has(uid);
  const uncounted = { succeeded: allSucceeded.filter(isTracked), failed: allFailed.filter(isTracked) };
  return {
    uncounted,
    totals: {
      succeeded: succeeded + allSucceeded.length - uncounted.succeeded.length,
      failed: failed + allFailed.length - uncounted.failed.length,
    },
  };
}

/** The field of the status, which leaves out empty lists, as the server does. */
export function uncountedOf({ succeeded, failed }: Uncounted): UncountedTerminatedPods {
  return { ...(succeeded.length === 0 ? {} : { succeeded }), ...(failed.length === 0 ? {} : { failed }) };
}
