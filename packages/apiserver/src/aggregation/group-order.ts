import { compareUtf8 } from '@binnacle/apimachinery/json';
import { compareVersions } from '../discovery/index.js';
import { serviceName } from './registered-service.js';

/** The facts that order groups and their versions. */
export interface Prioritized {
  readonly group: string;
  readonly version: string;
  readonly groupPriority: number;
  readonly versionPriority: number;
}

export interface OrderedGroup<T> {
  readonly group: string;
  /** In order of preference. */
  readonly versions: readonly T[];
}

/**
 * Groups in discovery order: by the highest group priority of their versions. Among equal ones, the aggregated document
 * orders by the group's name, and the plain list by the name of the first APIService with that priority. Versions go by
 * their own priority, then v2 before v1 before v1beta1.
 * Upstream: kube-aggregator `SortedByGroupAndVersion`, apiserver `pkg/endpoints/discovery/aggregated`.
 */
export function groupsInOrder<T extends Prioritized>(
  versions: Iterable<T>,
  tie: 'group' | 'service',
): OrderedGroup<T>[] {
  const groups = new Map<string, T[]>();
  for (const version of versions) {
    const members = groups.get(version.group) ?? [];
    members.push(version);
    groups.set(version.group, members);
  }
  return [...groups]
    .map(([group, members]) => ({ group, members, ...rankOf(group, members, tie) }))
    .sort((a, b) => b.priority - a.priority || compareUtf8(a.name, b.name))
    .map(({ group, members }) => ({ group, versions: members.sort(byVersion) }));
}

function rankOf(group: string, members: readonly Prioritized[], tie: 'group' | 'service') {
  const priority = Math.max(...members.map(({ groupPriority }) => groupPriority));
  if (tie === 'group') return { priority, name: group };
  const names = members.filter(({ groupPriority }) => groupPriority === priority).map(serviceName);
  return { priority, name: names.sort(compareUtf8)[0] ?? '' };
}

function byVersion(a: Prioritized, b: Prioritized): number {
  return b.versionPriority - a.versionPriority || compareVersions(a.version, b.version);
}
