import type { PolicyRule } from './role-source.js';

/**
 * Names of roles and their rules, a rule a text: `verbs | groups | resources | resource names`, or `verbs | paths`; words
 * are separated by spaces, and the core group is `core`.
 */
export type RuleTable = Readonly<Record<string, readonly string[]>>;

/** Reads one rule of a {@link RuleTable}. */
export function parseRule(text: string): PolicyRule {
  const columns = text.split('|').map((column) => column.trim().split(' '));
  const [verbs = [], second = [], resources, resourceNames] = columns;
  if (resources === undefined) return { verbs, nonResourceURLs: second };
  return {
    verbs,
    apiGroups: second.map((group) => (group === 'core' ? '' : group)),
    resources,
    ...(resourceNames === undefined ? {} : { resourceNames }),
  };
}
