import { compareUtf8 } from '@binnacle/apimachinery/json';
import { labelSelectorFromObject } from '@binnacle/apimachinery/labels';
import { Pace, type Steps } from '@binnacle/apimachinery/work';
import type { ClusterRole, PolicyRule } from '@binnacle/client/kinds/rbac/v1';

/** Some milliseconds of work. */
const RULES_PER_STEP = 2000;

/**
 * The rules of the roles that the selectors match, ordered by selector, then by role name, without duplicates and without the aggregating
 * role itself. Throws a `LabelSelectorError`.
 */
export function* aggregatedRules(aggregate: ClusterRole, roles: readonly ClusterRole[]): Steps<PolicyRule[]> {
  const pace = new Pace(RULES_PER_STEP);
  let others = roles.filter((role) => nameOf(role) !== nameOf(aggregate));
  others.sort((one, other) => compareUtf8(nameOf(one), nameOf(other)));
  const rules = new Map<string, PolicyRule>();
  for (const object of aggregate.aggregationRule?.clusterRoleSelectors ?? []) {
    const selector = labelSelectorFromObject(object);
    // A role that an earlier selector has matched adds no rule, and thousands of selectors may match it.
    const [matching, left] = partition(others, (role) => selector.matches(role.metadata.labels));
    others = left;
    if (pace.endsStep(left.length + matching.length)) yield;
    for (const role of matching) {
      // An aggregating role has null until its first aggregation, whatever the type says.
      for (const rule of role.rules ?? []) {
        const text = textOf(rule);
        if (!rules.has(text)) rules.set(text, rule);
        if (pace.endsStep()) yield;
      }
    }
  }
  return [...rules.values()];
}

/** Whether the role has exactly these rules, in this order. */
export function* hasRules({ rules }: ClusterRole, wanted: readonly PolicyRule[]): Steps<boolean> {
  const present = rules ?? [];
  if (present.length !== wanted.length) return false;
  const pace = new Pace(RULES_PER_STEP);
  for (const [index, rule] of wanted.entries()) {
    if (textOf(rule) !== textOf(present[index])) return false;
    if (pace.endsStep()) yield;
  }
  return true;
}

/** Equal for equal rules. An empty list equals a missing one. */
function textOf(rule: PolicyRule | undefined): string {
  return JSON.stringify([
    rule?.verbs ?? [],
    rule?.apiGroups ?? [],
    rule?.resources ?? [],
    rule?.resourceNames ?? [],
    rule?.nonResourceURLs ?? [],
  ]);
}

function nameOf({ metadata }: ClusterRole): string {
  return metadata.name ?? '';
}

function partition<T>(values: readonly T[], isFirst: (value: T) => boolean): [T[], T[]] {
  const [first, second]: [T[], T[]] = [[], []];
  for (const value of values) (isFirst(value) ? first : second).push(value);
  return [first, second];
}
