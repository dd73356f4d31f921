import type { GroupVersionResource } from '@binnacle/apimachinery/meta';

/** What is left of one resource in a namespace after its deletion was asked for. */
export interface Remains {
  readonly resource: GroupVersionResource;
  readonly count: number;
  /** How many objects each finalizer holds back. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** When to look again, seconds; 0 for what should have been gone at once. */
  readonly estimate: number;
  /** The version at which this was so: changes after it are news. */
  readonly resourceVersion: string | undefined;
}

/** What is left of all resources. */
export interface Leftovers {
  readonly remains: readonly Remains[];
  /** Why discovery did not tell everything; undefined if it did. */
  readonly discoveryFailure: Error | undefined;
  /** What could not be deleted, or should have been gone. */
  readonly contentFailures: readonly Error[];
}

/** Objects that neither a grace period nor a finalizer excuses. */
export function unexpectedRemains({ group, version, resource }: GroupVersionResource, namespace: string): Error {
  return new Error(
    `unexpected items still remain in namespace: ${namespace} for gvr: ${group}/${version}, Resource=${resource}`,
  );
}

/** How often each finalizer holds something back, in all resources. */
export function finalizersOf(remains: readonly Remains[]): Map<string, number> {
  const totals = new Map<string, number>();
  for (const { finalizers } of remains) {
    for (const [finalizer, count] of finalizers) totals.set(finalizer, (totals.get(finalizer) ?? 0) + count);
  }
  return totals;
}

/** Nothing is left, for sure. */
export function isNothing({ remains, contentFailures, discoveryFailure }: Leftovers): boolean {
  return remains.length === 0 && contentFailures.length === 0 && discoveryFailure === undefined;
}
