import type { PolicyRule } from './role-source.js';

/**
 * Rules by role name, one text per rule: `verbs | groups | resources | resource names`, or `verbs | paths`. Spaces
 * separate words, and `core` is the core group.
 */
export type RuleTable = Readonly<Record<string, readonly string[]>>;

/** Parses one rule of a {@link RuleTable}. */
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
