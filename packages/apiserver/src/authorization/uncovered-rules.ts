import { compareUtf8 } from '@binnacle/apimachinery/json';
import { quoteGo } from '@binnacle/apimachinery/status';
import type { PolicyRule } from './role-source.js';
import { ALL, pathMatches } from './rule-match.js';

/** Limits the combinations to compare: one small body can name billions, and the answer would be megabytes long. */
const MAXIMUM_COMBINATIONS = 50_000;
/** Each combination may be compared with each held rule, and with each of its paths. */
const MAXIMUM_COMPARISONS = 10_000_000;

/**
 * The rights in `granted` that `held` lacks. Rights that differ only by verb share one rule; each path with its verb is
 * a rule of its own.
 * Upstream: component-helpers `auth/rbac/validation` Covers, kubernetes `pkg/registry/rbac/validation` CompactRules.
 */
export function uncoveredRules(held: readonly PolicyRule[], granted: readonly PolicyRule[]): PolicyRule[] {
  const holders = held.map(holderOf);
  const resourceRules = new Map<string, PolicyRule & { readonly verbs: string[] }>();
  const pathRules: PolicyRule[] = [];
  for (const rule of granted) {
    for (const { verb, objects } of uncoveredResources(holders, rule)) {
      const key = JSON.stringify(objects);
      const known = resourceRules.get(key);
      if (known === undefined) resourceRules.set(key, { ...objects, verbs: [verb] });
      else known.verbs.push(verb);
    }
    for (const missing of uncoveredPaths(holders, rule)) pathRules.push(missing);
  }
  return [...pathRules, ...resourceRules.values()];
}

/** Whether {@link uncoveredRules} would exceed its limits. */
export function isTooManyRules(held: readonly PolicyRule[], granted: readonly PolicyRule[]): boolean {
  const combinations = sum(granted, (rule) => {
    const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
    // The loops over the other lists still run when one list is empty.
    const ofResources = apiGroups.length * Math.max(resources.length, 1) * Math.max(resourceNames.length, 1);
    return Math.max(verbs.length, 1) * (ofResources + nonResourceURLs.length);
  });
  const holders = sum(held, ({ nonResourceURLs = [] }) => 1 + nonResourceURLs.length);
  return combinations > MAXIMUM_COMBINATIONS || combinations * holders > MAXIMUM_COMPARISONS;
}

/** The rules as an error shows them, one per line. Upstream: kubernetes `pkg/apis/rbac/v1` CompactString. */
export function describeRules(rules: readonly PolicyRule[]): string {
  return [...new Set(rules.map(describeRule))].sort(compareUtf8).join('\n');
}

function describeRule({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string {
  const fields: readonly (readonly [string, readonly string[] | undefined])[] = [
    ['APIGroups', apiGroups],
    ['Resources', resources],
    ['NonResourceURLs', nonResourceURLs],
    ['ResourceNames', resourceNames],
    ['Verbs', verbs],
  ];
  const shown = fields.flatMap(([name, values = []]) => (values.length === 0 ? [] : [`${name}:${quoteList(values)}`]));
  return `{${shown.join(', ')}}`;
}

/** A list of strings as Go's `%q` prints it. */
export function quoteList(values: readonly string[]): string {
  return `[${values.map(quoteGo).join(' ')}]`;
}

interface Holder {
  readonly verbs: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly resources: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  readonly paths: readonly string[];
}

function holderOf({ verbs, apiGroups, resources, resourceNames, nonResourceURLs = [] }: PolicyRule): Holder {
  return {
    verbs: new Set(verbs),
    groups: new Set(apiGroups),
    resources: new Set(resources),
    names: new Set(resourceNames),
    paths: nonResourceURLs,
  };
}

interface MissingRight {
  readonly verb: string;
  /** One group, one resource, and at most one name. */
  readonly objects: Omit<PolicyRule, 'verbs'>;
}

/** Narrows the candidates field by field, so that most combinations are compared with few rules. */
function* uncoveredResources(holders: readonly Holder[], rule: PolicyRule): Generator<MissingRight> {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [] } = rule;
  const names = resourceNames.length === 0 ? [undefined] : resourceNames;
  for (const group of apiGroups) {
    const ofGroup = holders.filter(({ groups }) => includes(groups, group));
    for (const resource of resources) {
      const ofResource = ofGroup.filter((holder) => coversResource(holder.resources, resource));
      for (const verb of verbs) {
        const ofVerb = ofResource.filter((holder) => includes(holder.verbs, verb));
        for (const name of names) {
          if (ofVerb.some((holder) => coversName(holder.names, name))) continue;
          const objects = { apiGroups: [group], resources: [resource] };
          yield { verb, objects: name === undefined ? objects : { ...objects, resourceNames: [name] } };
        }
      }
    }
  }
}

/** A rule with resource names grants no paths. */
function* uncoveredPaths(
  holders: readonly Holder[],
  { verbs = [], nonResourceURLs = [] }: PolicyRule,
): Generator<PolicyRule> {
  for (const path of nonResourceURLs) {
    const ofPath = holders.filter(({ names, paths }) => names.size === 0 && pathMatches(paths, path));
    for (const verb of verbs) {
      if (ofPath.some((holder) => includes(holder.verbs, verb))) continue;
      yield { verbs: [verb], nonResourceURLs: [path] };
    }
  }
}

function includes(held: ReadonlySet<string>, value: string): boolean {
  return held.has(value) || held.has(ALL);
}

/** A wildcard for the subresource also covers `pods/log`. */
function coversResource(held: ReadonlySet<string>, resource: string): boolean {
  if (includes(held, resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && held.has(ALL + resource.slice(slash));
}

/** A rule for some names does not cover a rule for all names. */
function coversName(held: ReadonlySet<string>, name: string | undefined): boolean {
  return held.size === 0 || (name !== undefined && held.has(name));
}

function sum<T>(items: readonly T[], sizeOf: (item: T) => number): number {
  return items.reduce((total, item) => total + sizeOf(item), 0);
}
