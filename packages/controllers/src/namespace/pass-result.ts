import type { GroupVersionResource } from '@binnacle/apimachinery/meta';

/** The objects of one resource that remain after a pass has requested their deletion. */
export interface RemainingResource {
  readonly resource: GroupVersionResource;
  readonly count: number;
  /** The number of objects that hold each finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** Seconds that the objects may still take; 0 if they should be gone already. */
  readonly estimate: number;
  /** The version of the list that was counted; a watch continues from it. */
  readonly resourceVersion: string | undefined;
}

/** The result of one pass over a namespace. */
export interface PassResult {
  readonly remaining: readonly RemainingResource[];
  /** Why discovery is incomplete; undefined if it is complete. */
  readonly discoveryFailure: Error | undefined;
  /** Failed deletes, and resources with objects that should be gone. */
  readonly contentFailures: readonly Error[];
}

/** The failure for objects that remain without a grace period or finalizer. */
export function unexpectedlyRemaining({ group, version, resource }: GroupVersionResource, namespace: string): Error {
  return new Error(
    `unexpected items still remain in namespace: ${namespace} for gvr: ${group}/${version}, Resource=${resource}`,
  );
}

/** The number of objects of all resources that hold each finalizer. */
export function totalFinalizers(remaining: readonly RemainingResource[]): Map<string, number> {
  const totals = new Map<string, number>();
  for (const { finalizers } of remaining) {
    for (const [finalizer, count] of finalizers) totals.set(finalizer, (totals.get(finalizer) ?? 0) + count);
  }
  return totals;
}

/** Whether the namespace is proven empty. */
export function isEmptyResult({ remaining, contentFailures, discoveryFailure }: PassResult): boolean {
  return remaining.length === 0 && contentFailures.length === 0 && discoveryFailure === undefined;
}
