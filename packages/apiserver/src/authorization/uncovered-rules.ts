import { sortedTextsInSteps } from '@binnacle/apimachinery/json';
import { quoteGo } from '@binnacle/apimachinery/status';
import { Pace, type Steps } from '@binnacle/apimachinery/work';
import type { PolicyRule } from './role-source.js';
import { ALL, patternMatches } from './rule-match.js';

/** Limits the combinations to compare: one small body can name billions, and the answer would be megabytes long. */
const MAXIMUM_COMBINATIONS = 50_000;
/** Each combination may be compared with each held rule, and with each of its paths. */
const MAXIMUM_COMPARISONS = 10_000_000;
/** About a millisecond of comparisons. */
const COMPARISONS_PER_STEP = 5000;

/**
 * The rights in `granted` that `held` lacks. Rights that differ only by verb share one rule; each path with its verb is
 * a rule of its own.
 * Upstream: component-helpers `auth/rbac/validation` Covers, kubernetes `pkg/registry/rbac/validation` CompactRules.
 */
export function* uncoveredRules(held: readonly PolicyRule[], granted: readonly PolicyRule[]): Steps<PolicyRule[]> {
  const narrowing = new Narrowing();
  const resourceRules = new Map<string, PolicyRule & { readonly verbs: string[] }>();
  const pathRules: PolicyRule[] = [];
  for (const rule of granted) {
    for (const right of yield* uncoveredResources(narrowing, held, rule)) {
      if (narrowing.endsStep()) yield;
      const { verb, objects } = right;
      const key = JSON.stringify(objects);
      const known = resourceRules.get(key);
      if (known === undefined) resourceRules.set(key, { ...objects, verbs: [verb] });
      else known.verbs.push(verb);
    }
    for (const missing of yield* uncoveredPaths(narrowing, held, rule)) pathRules.push(missing);
  }
  return [...pathRules, ...resourceRules.values()];
}

/** Whether {@link uncoveredRules} would exceed its limits. */
export function* isTooManyRules(held: readonly PolicyRule[], granted: readonly PolicyRule[]): Steps<boolean> {
  const combinations = yield* sum(granted, (rule) => {
    const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
    // The loops over the other lists still run when one list is empty.
    const ofResources = apiGroups.length * Math.max(resources.length, 1) * Math.max(resourceNames.length, 1);
    return Math.max(verbs.length, 1) * (ofResources + nonResourceURLs.length);
  });
  const holders = yield* sum(held, ({ nonResourceURLs = [] }) => 1 + nonResourceURLs.length);
  return combinations > MAXIMUM_COMBINATIONS || combinations * holders > MAXIMUM_COMPARISONS;
}

/** The rules as an error shows them, one per line. Upstream: kubernetes `pkg/apis/rbac/v1` CompactString. */
export function* describeRules(rules: readonly PolicyRule[]): Steps<string> {
  const pace = new Pace(COMPARISONS_PER_STEP / 10);
  const lines = new Set<string>();
  for (const rule of rules) {
    lines.add(describeRule(rule));
    if (pace.endsStep()) yield;
  }
  return (yield* sortedTextsInSteps([...lines])).join('\n');
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

/** A longer list is searched by a set of its values. */
const SHORT_LIST = 8;

/** Narrows rules down in steps. */
class Narrowing {
  readonly #pace = new Pace(COMPARISONS_PER_STEP);
  readonly #sets = new Map<readonly string[], ReadonlySet<string>>();

  /** Call it for each comparison. */
  endsStep(): boolean {
    return this.#pace.endsStep();
  }

  *those(rules: readonly PolicyRule[], test: (rule: PolicyRule) => boolean): Steps<PolicyRule[]> {
    const found: PolicyRule[] = [];
    for (const rule of rules) {
      if (test(rule)) found.push(rule);
      if (this.endsStep()) yield;
    }
    return found;
  }

  *has(rules: readonly PolicyRule[], test: (rule: PolicyRule) => boolean): Steps<boolean> {
    for (const rule of rules) {
      if (test(rule)) return true;
      if (this.endsStep()) yield;
    }
    return false;
  }

  /** Whether a list of a held rule names the value, or all. */
  includes(list: readonly string[] | undefined, value: string): boolean {
    return this.names(list, value) || this.names(list, ALL);
  }

  names(list: readonly string[] = [], value: string): boolean {
    return list.length <= SHORT_LIST ? list.includes(value) : this.#setOf(list).has(value);
  }

  #setOf(list: readonly string[]): ReadonlySet<string> {
    let set = this.#sets.get(list);
    if (set === undefined) {
      set = new Set(list);
      this.#sets.set(list, set);
    }
    return set;
  }
}

interface MissingRight {
  readonly verb: string;
  /** One group, one resource, and at most one name. */
  readonly objects: Omit<PolicyRule, 'verbs'>;
}

/** Narrows the candidates field by field, so that most combinations are compared with few rules. */
function* uncoveredResources(
  narrowing: Narrowing,
  held: readonly PolicyRule[],
  rule: PolicyRule,
): Steps<MissingRight[]> {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [] } = rule;
  const names = resourceNames.length === 0 ? [undefined] : resourceNames;
  const missing: MissingRight[] = [];
  for (const group of apiGroups) {
    const ofGroup = yield* narrowing.those(held, (holder) => narrowing.includes(holder.apiGroups, group));
    for (const resource of resources) {
      const ofResource = yield* narrowing.those(ofGroup, (holder) => coversResource(narrowing, holder, resource));
      for (const verb of verbs) {
        const ofVerb = yield* narrowing.those(ofResource, (holder) => narrowing.includes(holder.verbs, verb));
        for (const name of names) {
          if (narrowing.endsStep()) yield;
          if (yield* narrowing.has(ofVerb, (holder) => coversName(narrowing, holder, name))) continue;
          const objects = { apiGroups: [group], resources: [resource] };
          missing.push({ verb, objects: name === undefined ? objects : { ...objects, resourceNames: [name] } });
        }
      }
    }
  }
  return missing;
}

/** A rule with resource names grants no paths. */
function* uncoveredPaths(
  narrowing: Narrowing,
  held: readonly PolicyRule[],
  { verbs = [], nonResourceURLs = [] }: PolicyRule,
): Steps<PolicyRule[]> {
  const missing: PolicyRule[] = [];
  for (const path of nonResourceURLs) {
    const ofPath: PolicyRule[] = [];
    for (const holder of held) {
      if (isEmpty(holder.resourceNames) && (yield* coversPath(narrowing, holder, path))) ofPath.push(holder);
    }
    for (const verb of verbs) {
      const isCovered = yield* narrowing.has(ofPath, (holder) => narrowing.includes(holder.verbs, verb));
      if (!isCovered) missing.push({ verbs: [verb], nonResourceURLs: [path] });
    }
  }
  return missing;
}

function* coversPath(narrowing: Narrowing, { nonResourceURLs = [] }: PolicyRule, path: string): Steps<boolean> {
  if (narrowing.endsStep()) yield;
  for (const pattern of nonResourceURLs) {
    if (patternMatches(pattern, path)) return true;
    if (narrowing.endsStep()) yield;
  }
  return false;
}

/** A wildcard for the subresource also covers `pods/log`. */
function coversResource(narrowing: Narrowing, { resources }: PolicyRule, resource: string): boolean {
  if (narrowing.includes(resources, resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && narrowing.names(resources, ALL + resource.slice(slash));
}

/** A rule for some names does not cover a rule for all names. */
function coversName(narrowing: Narrowing, { resourceNames }: PolicyRule, name: string | undefined): boolean {
  return isEmpty(resourceNames) || (name !== undefined && narrowing.names(resourceNames, name));
}

function isEmpty(list: readonly string[] = []): boolean {
  return list.length === 0;
}

function* sum<T>(items: readonly T[], sizeOf: (item: T) => number): Steps<number> {
  const pace = new Pace(COMPARISONS_PER_STEP);
  let total = 0;
  for (const item of items) {
    total += sizeOf(item);
    if (pace.endsStep()) yield;
  }
  return total;
}
