import type { MatchResources, NamedRuleWithOperations } from '@binnacle/client/kinds/admissionregistration/v1';
import type { GroupVersionKind } from '@binnacle/apimachinery/meta';
import type { ApiSurface } from '@binnacle/client/discovery';

/** The most kinds of one rule. */
const MOST_KINDS = 10;

/** Whether a served resource is missing from a surface that may be stale. */
export interface MatchedKinds {
  readonly kinds: readonly GroupVersionKind[];
  readonly isIncomplete: boolean;
}

/**
 * The kinds that the rules of a policy name, sorted. Rules with wildcards for groups or versions name none. Upstream:
 * apiserver `policy/validating/typechecking.go` typesToCheck.
 */
export function matchedKinds(constraints: MatchResources | undefined, surface: ApiSurface): MatchedKinds {
  const found = new Map<string, GroupVersionKind>();
  let isIncomplete = false;
  for (const rule of constraints?.resourceRules ?? []) {
    const { kinds, missing } = kindsOf(rule, surface);
    for (const kind of kinds) found.set(sortKey(kind), kind);
    isIncomplete ||= missing;
    if (kinds.length === MOST_KINDS) break;
  }
  const sorted = [...found].toSorted(([left], [right]) => (left < right ? -1 : 1));
  return { kinds: sorted.map(([, kind]) => kind), isIncomplete };
}

function kindsOf(rule: NamedRuleWithOperations, surface: ApiSurface) {
  const groups = sortedNames(rule.apiGroups);
  const versions = sortedNames(rule.apiVersions);
  const resources = (rule.resources ?? []).filter((resource) => !/[*/]/.test(resource)).toSorted();
  const kinds: GroupVersionKind[] = [];
  let missing = false;
  for (const group of groups) {
    for (const version of versions) {
      for (const resource of resources) {
        const kind = kindOf(group, version, resource, surface);
        if (kind === undefined) missing = true;
        else if (kinds.length < MOST_KINDS) kinds.push(kind);
      }
    }
  }
  return { kinds, missing };
}

/** None, if one is a wildcard. */
function sortedNames(names: readonly string[] | undefined): readonly string[] {
  return names?.some((name) => name.includes('*')) === true ? [] : (names ?? []).toSorted();
}

function kindOf(
  group: string,
  version: string,
  resource: string,
  { groups }: ApiSurface,
): GroupVersionKind | undefined {
  return groups
    .find(({ name }) => name === group)
    ?.versions.find((each) => each.version === version)
    ?.resources.find((each) => each.resource.resource === resource)?.kind;
}

/** Groups, versions and kinds have no such character. */
function sortKey({ group, version, kind }: GroupVersionKind): string {
  return [group, version, kind].join('\0');
}
