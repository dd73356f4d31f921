import { compareUtf8 } from '@binnacle/apimachinery/json';
import type { NamespaceCondition } from '@binnacle/client/kinds/core/v1';
import { isPods } from './content-deleter.js';
import { type PassResult, type RemainingResource, totalFinalizers } from './pass-result.js';

interface ConditionFacts {
  readonly type: string;
  /** For status False: no failure. */
  readonly success: { readonly reason: string; readonly message: string };
  /** For status True. */
  readonly reason: string;
  /** The message for status True; undefined if there is no failure. */
  readonly failure: (result: PassResult) => string | undefined;
}

/** Upstream: `pkg/controller/namespace/deletion/status_condition_utils.go`. */
const facts: readonly ConditionFacts[] = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    success: { reason: 'ResourcesDiscovered', message: 'All resources successfully discovered' },
    reason: 'DiscoveryFailed',
    failure: ({ discoveryFailure }) => discoveryFailure?.message,
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    success: { reason: 'ParsedGroupVersions', message: 'All legacy kube types successfully parsed' },
    reason: 'GroupVersionParsingFailed',
    // Discovery returns parsed group versions, so this cannot fail.
    failure: () => undefined,
  },
  {
    type: 'NamespaceDeletionContentFailure',
    success: { reason: 'ContentDeleted', message: 'All content successfully deleted, may be waiting on finalization' },
    reason: 'ContentDeletionFailed',
    failure: ({ contentFailures: { length }, contentFailures }) =>
      length === 0
        ? undefined
        : `Failed to delete all resource types, ${length} remaining: ${listed(contentFailures.map(({ message }) => message))}`,
  },
  {
    type: 'NamespaceContentRemaining',
    success: { reason: 'ContentRemoved', message: 'All content successfully removed' },
    reason: 'SomeResourcesRemain',
    failure: (result) => {
      const remaining = remainingToReport(result);
      return remaining.length === 0
        ? undefined
        : `Some resources are remaining: ${listed(remaining.map(({ resource, count }) => `${resource.resource}.${resource.group} has ${count} resource instances`))}`;
    },
  },
  {
    type: 'NamespaceFinalizersRemaining',
    success: { reason: 'ContentHasNoFinalizers', message: 'All content-preserving finalizers finished' },
    reason: 'SomeFinalizersRemain',
    failure: (result) => {
      const finalizers = totalFinalizers(remainingToReport(result));
      return finalizers.size === 0
        ? undefined
        : `Some content in the namespace has finalizers remaining: ${listed(Array.from(finalizers, ([name, count]) => `${name} in ${count} resource instances`))}`;
    },
  },
];

/**
 * The conditions of a namespace after a pass. Conditions of other types stay. Undefined if nothing changes. `now`, in RFC 3339, becomes the
 * `lastTransitionTime` of conditions whose status changes.
 */
export function conditionsOf(
  result: PassResult,
  before: readonly NamespaceCondition[],
  now: string,
): NamespaceCondition[] | undefined {
  const after = [...before];
  let isChanged = false;
  for (const fact of facts) {
    const wanted = conditionOf(fact, result);
    const index = after.findIndex(({ type }) => type === fact.type);
    const old = after[index];
    if (old === undefined) after.push({ ...wanted, lastTransitionTime: now });
    else if (isSame(old, wanted)) continue;
    else after[index] = { ...old, ...wanted, ...(old.status === wanted.status ? {} : { lastTransitionTime: now }) };
    isChanged = true;
  }
  return isChanged ? after : undefined;
}

/** Conditions report no content while the namespace waits for its pods. Upstream: `deleteAllContent`. */
function remainingToReport({ remaining }: PassResult): readonly RemainingResource[] {
  return remaining.some(isPods) ? [] : remaining;
}

function conditionOf({ type, success, reason, failure }: ConditionFacts, result: PassResult): NamespaceCondition {
  const message = failure(result);
  return message === undefined ? { type, status: 'False', ...success } : { type, status: 'True', reason, message };
}

function isSame(one: NamespaceCondition, other: NamespaceCondition): boolean {
  return one.status === other.status && one.reason === other.reason && one.message === other.message;
}

/** Sorted, so that the message stays the same from pass to pass. */
function listed(texts: readonly string[]): string {
  return texts.toSorted(compareUtf8).join(', ');
}
