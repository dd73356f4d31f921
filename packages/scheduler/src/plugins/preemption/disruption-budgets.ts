import { type LabelSelector, labelSelectorFromObject } from '@binnacle/apimachinery/labels';
import type { Steps } from '@binnacle/apimachinery/work';
import type { PodDisruptionBudget } from '@binnacle/client/kinds/policy/v1';
import type { PodFacts } from '../../framework/index.js';

interface PreparedBudget {
  readonly budget: PodDisruptionBudget;
  readonly selector: LabelSelector;
}

export type BudgetsByNamespace = ReadonlyMap<string, readonly PreparedBudget[]>;

/** Parses the selectors once, for all nodes on which a preemption is tried. An empty selector protects no pod. */
export function* prepareBudgets(budgets: readonly PodDisruptionBudget[]): Steps<BudgetsByNamespace> {
  const prepared = new Map<string, PreparedBudget[]>();
  for (const budget of budgets) {
    const { namespace = '' } = budget.metadata;
    const selector = labelSelectorFromObject(budget.spec?.selector);
    yield;
    if (selector.isEmpty) continue;
    const others = prepared.get(namespace);
    if (others === undefined) prepared.set(namespace, [{ budget, selector }]);
    else others.push({ budget, selector });
  }
  return prepared;
}

/**
 * The pods whose eviction breaks a disruption budget, and the others, in their order. Upstream:
 * `filterPodsWithPDBViolation`.
 */
export function* splitByBudgets(
  pods: readonly PodFacts[],
  budgets: BudgetsByNamespace,
): Steps<{ readonly violating: ReadonlySet<PodFacts>; readonly others: readonly PodFacts[] }> {
  const left = new Map<PreparedBudget, number>();
  const violating = new Set<PodFacts>();
  const others: PodFacts[] = [];
  for (const pod of pods) {
    let isViolated = false;
    for (const each of budgets.get(pod.namespace) ?? []) {
      if (!protects(each, pod)) continue;
      const allowed = (left.get(each) ?? each.budget.status?.disruptionsAllowed ?? 0) - 1;
      left.set(each, allowed);
      isViolated ||= allowed < 0;
    }
    if (isViolated) violating.add(pod);
    else others.push(pod);
    yield;
  }
  return { violating, others };
}

function protects({ budget, selector }: PreparedBudget, { name, labels }: PodFacts): boolean {
  if (Object.keys(labels).length === 0 || !selector.matches(labels)) return false;
  return !Object.hasOwn(budget.status?.disruptedPods ?? {}, name);
}
