import { compareUtf8 } from '@binnacle/apimachinery/json';
import type { NamespaceCondition } from '@binnacle/client/kinds/core/v1';
import { finalizersOf, type Leftovers } from './remains.js';

interface ConditionFacts {
  readonly type: string;
  /** Without a failure. */
  readonly fine: { readonly reason: string; readonly message: string };
  /** With one. */
  readonly reason: string;
  /** Undefined: no failure. */
  readonly complaint: (leftovers: Leftovers) => string | undefined;
}

/** Upstream: `pkg/controller/namespace/deletion/status_condition_utils.go`. */
const facts: readonly ConditionFacts[] = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    fine: { reason: 'ResourcesDiscovered', message: 'All resources successfully discovered' },
    reason: 'DiscoveryFailed',
    complaint: ({ discoveryFailure }) => discoveryFailure?.message,
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    fine: { reason: 'ParsedGroupVersions', message: 'All legacy kube types successfully parsed' },
    reason: 'GroupVersionParsingFailed',
    // What discovery tells here is in parts already.
    complaint: () => undefined,
  },
  {
    type: 'NamespaceDeletionContentFailure',
    fine: { reason: 'ContentDeleted', message: 'All content successfully deleted, may be waiting on finalization' },
    reason: 'ContentDeletionFailed',
    complaint: ({ contentFailures: { length }, contentFailures }) =>
      length === 0
        ? undefined
        : `Failed to delete all resource types, ${length} remaining: ${listed(contentFailures.map(({ message }) => message))}`,
  },
  {
    type: 'NamespaceContentRemaining',
    fine: { reason: 'ContentRemoved', message: 'All content successfully removed' },
    reason: 'SomeResourcesRemain',
    complaint: ({ remains }) =>
      remains.length === 0
        ? undefined
        : `Some resources are remaining: ${listed(remains.map(({ resource, count }) => `${resource.resource}.${resource.group} has ${count} resource instances`))}`,
  },
  {
    type: 'NamespaceFinalizersRemaining',
    fine: { reason: 'ContentHasNoFinalizers', message: 'All content-preserving finalizers finished' },
    reason: 'SomeFinalizersRemain',
    complaint: ({ remains }) => {
      const finalizers = finalizersOf(remains);
      return finalizers.size === 0
        ? undefined
        : `Some content in the namespace has finalizers remaining: ${listed(Array.from(finalizers, ([name, count]) => `${name} in ${count} resource instances`))}`;
    },
  },
];

/**
 * The conditions that tell of what is left, in place of those before; conditions of others stay. Undefined when nothing changes. The time of
 * a condition is when its status last changed. `now`: RFC 3339.
 */
export function conditionsOf(
  leftovers: Leftovers,
  before: readonly NamespaceCondition[],
  now: string,
): NamespaceCondition[] | undefined {
  const after = [...before];
  let isChanged = false;
  for (const fact of facts) {
    const wanted = conditionOf(fact, leftovers);
    const index = after.findIndex(({ type }) => type === fact.type);
    const old = after[index];
    if (old === undefined) after.push({ ...wanted, lastTransitionTime: now });
    else if (isSame(old, wanted)) continue;
    else after[index] = { ...old, ...wanted, ...(old.status === wanted.status ? {} : { lastTransitionTime: now }) };
    isChanged = true;
  }
  return isChanged ? after : undefined;
}

function conditionOf({ type, fine, reason, complaint }: ConditionFacts, leftovers: Leftovers): NamespaceCondition {
  const message = complaint(leftovers);
  return message === undefined ? { type, status: 'False', ...fine } : { type, status: 'True', reason, message };
}

function isSame(one: NamespaceCondition, other: NamespaceCondition): boolean {
  return one.status === other.status && one.reason === other.reason && one.message === other.message;
}

/** In an order that does not change from one look to the next. */
function listed(texts: readonly string[]): string {
  return texts.toSorted(compareUtf8).join(', ');
}
