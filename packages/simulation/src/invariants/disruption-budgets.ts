import { labelSelectorFromObject } from '@binnacle/apimachinery/labels';
import { Pod } from '@binnacle/client/kinds/core/v1';
import { PodDisruptionBudget } from '@binnacle/client/kinds/policy/v1';
import { type ClusterState, isOf, type StoreEvent } from '../history/index.js';
import type { Invariant } from './invariant.js';

/** An eviction of a ready pod is charged to its disruption budget first, and no budget is overdrawn. */
export function disruptionBudgets(): Invariant {
  return {
    name: 'disruption-budgets',
    check: (state, event) => {
      const { object, after } = event;
      if (isOf(PodDisruptionBudget, object)) {
        const allowed = object.status?.disruptionsAllowed ?? 0;
        return allowed < 0 ? `budget ${object.metadata.name ?? ''} allows ${allowed} disruptions` : undefined;
      }
      if (event.author?.resource !== 'pods/eviction' || !isOf(Pod, object)) return undefined;
      const isEvicted = after === undefined || after.metadata.deletionTimestamp !== undefined;
      return isEvicted ? uncharged(object, event, state) : undefined;
    },
  };
}

function uncharged(pod: Pod, { before }: StoreEvent, state: ClusterState): string | undefined {
  const wasReady =
    before !== undefined && isOf(Pod, before) && isReady(before) && before.metadata.deletionTimestamp === undefined;
  if (!wasReady) return undefined;
  const { namespace, name = '', labels = {} } = pod.metadata;
  const budget = state.list(PodDisruptionBudget).find(({ metadata, spec }) => {
    if (metadata.namespace !== namespace || spec?.selector === undefined) return false;
    return labelSelectorFromObject(spec.selector).matches(labels);
  });
  if (budget === undefined || Object.hasOwn(budget.status?.disruptedPods ?? {}, name)) return undefined;
  return `pod ${name} is evicted without being charged to budget ${budget.metadata.name ?? ''}`;
}

function isReady({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true;
}
