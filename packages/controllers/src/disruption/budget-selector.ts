import {
  type LabelSelector,
  LabelSelectorError,
  labelSelectorFromObject,
  nothing,
} from '@binnacle/apimachinery/labels';
import type { PodDisruptionBudget } from '@binnacle/client/kinds/policy/v1';

/** A budget of a cache is never changed, so its selector is parsed once. */
const parsed = new WeakMap<PodDisruptionBudget, LabelSelector>();

/** An empty selector matches all pods of the namespace. A missing one matches none, and so does an invalid one. */
export function selectorOfBudget(budget: PodDisruptionBudget): LabelSelector {
  let selector = parsed.get(budget);
  if (selector === undefined) {
    selector = parse(budget);
    parsed.set(budget, selector);
  }
  return selector;
}

function parse({ spec }: PodDisruptionBudget): LabelSelector {
  if (spec?.selector === undefined) return nothing;
  try {
    return labelSelectorFromObject(spec.selector);
  } catch (error) {
    if (error instanceof LabelSelectorError) return nothing;
    throw error;
  }
}
