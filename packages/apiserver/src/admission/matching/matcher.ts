import type { NamedRuleWithOperations } from '@binnacle/api/types/admissionregistration-v1';
import {
  everything,
  type LabelSelector,
  LabelSelectorError,
  labelSelectorFromObject,
  type LabelSelectorObject,
} from '@binnacle/apimachinery/labels';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { internalError, notFound } from '@binnacle/apimachinery/status';
import type { VersionedResource } from '../object-versions.js';
import type { AdmissionAttributes } from '../plugin.js';
import { ruleMatches } from './rules.js';

/** Which requests a webhook or a policy wants to see. */
export interface MatchConstraints {
  readonly rules: readonly NamedRuleWithOperations[];
  /** Default: none. */
  readonly excludeRules?: readonly NamedRuleWithOperations[];
  readonly namespaceSelector?: LabelSelectorObject | undefined;
  readonly objectSelector?: LabelSelectorObject | undefined;
  /** `Equivalent` also matches a rule for another version of the same objects. */
  readonly matchPolicy?: string | undefined;
  /** Whether no rules match every request, as for bindings of policies, or none, as for webhooks. */
  readonly withoutRules: 'all' | 'none';
}

/** Finds the labels of a namespace by its name; undefined if there is none. */
export type NamespaceLabels = (
  name: string,
) => Readonly<Record<string, string>> | undefined | Promise<Readonly<Record<string, string>> | undefined>;

type Subject = Pick<
  AdmissionAttributes,
  'operation' | 'resource' | 'kind' | 'subresource' | 'namespace' | 'name' | 'object' | 'oldObject' | 'versions'
>;

/** Decides about the requests of one set of constraints. Immutable. */
export class RequestMatcher {
  readonly #constraints: MatchConstraints;
  readonly #namespaces: LabelSelector | LabelSelectorError;
  readonly #objects: LabelSelector | LabelSelectorError;

  constructor(constraints: MatchConstraints) {
    this.#constraints = constraints;
    this.#namespaces = selectorOf(constraints.namespaceSelector);
    this.#objects = selectorOf(constraints.objectSelector);
  }

  /**
   * The resource and kind that the match is about: the request's own, or the equivalent one that a rule names. Undefined
   * without a match. Throws StatusError 500 if a selector is invalid, and 404 if the namespace does not exist, but only
   * for requests that match otherwise.
   */
  match(
    subject: Subject,
    labelsOf: NamespaceLabels,
  ): VersionedResource | undefined | Promise<VersionedResource | undefined> {
    const found = this.#matchObject(subject) ? this.#matchRules(subject) : undefined;
    if (found === undefined) return undefined;
    const selector = this.#namespaces;
    if (isUnscoped(subject) || (!(selector instanceof LabelSelectorError) && selector.isEmpty)) {
      return this.#checked(found);
    }
    if (selector instanceof LabelSelectorError) throw internalError(selector);
    if (isNewNamespace(subject)) {
      return selector.matches(subject.object?.metadata.labels) ? this.#checked(found) : undefined;
    }
    const labels = labelsOf(subject.namespace);
    const decide = (known: Readonly<Record<string, string>> | undefined) => {
      if (known === undefined) throw notFound({ group: '', resource: 'namespaces' }, subject.namespace);
      return selector.matches(known) ? this.#checked(found) : undefined;
    };
    return labels instanceof Promise ? labels.then(decide) : decide(labels);
  }

  /** Whether the constraints select such requests for objects with some labels, in namespaces with some labels. */
  mayMatch(subject: Subject): boolean {
    return this.#matchRules(subject) !== undefined;
  }

  /** An invalid selector counts as a match until everything else has matched. */
  #matchObject({ operation, object, oldObject }: Subject): boolean {
    const selector = this.#objects;
    if (selector instanceof LabelSelectorError || selector.isEmpty) return true;
    // The object of a connect is its options, which have no labels that a selector could exclude.
    if (operation === 'CONNECT') return false;
    return hasLabels(object, selector) || hasLabels(oldObject, selector);
  }

  #checked(found: VersionedResource): VersionedResource {
    if (this.#objects instanceof LabelSelectorError) throw internalError(this.#objects);
    return found;
  }

  #matchRules(subject: Subject): VersionedResource | undefined {
    const { rules, excludeRules = [], matchPolicy, withoutRules } = this.#constraints;
    if (excludeRules.length > 0 && matchedBy(excludeRules, subject, matchPolicy) !== undefined) return undefined;
    if (rules.length === 0) return withoutRules === 'all' ? subject : undefined;
    return matchedBy(rules, subject, matchPolicy);
  }
}

function selectorOf(object: LabelSelectorObject | undefined): LabelSelector | LabelSelectorError {
  if (object === undefined) return everything;
  try {
    return labelSelectorFromObject(object);
  } catch (error) {
    if (error instanceof LabelSelectorError) return error;
    throw error;
  }
}

function hasLabels(object: Readonly<KubernetesObject> | undefined, selector: LabelSelector): boolean {
  return object !== undefined && selector.matches(object.metadata.labels);
}

/** Objects without a namespace match every namespace selector, except Namespaces. */
function isUnscoped({ namespace, resource }: Subject): boolean {
  return namespace === '' && resource.resource !== 'namespaces';
}

/** The labels in the request decide, not the stored ones. */
function isNewNamespace({ resource, subresource, operation }: Subject): boolean {
  return resource.resource === 'namespaces' && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE');
}

/** The request's own resource goes first, then the equivalent ones in the order of the rules. */
function matchedBy(
  rules: readonly NamedRuleWithOperations[],
  subject: Subject,
  matchPolicy: string | undefined,
): VersionedResource | undefined {
  if (rules.some((rule) => namedRuleMatches(rule, subject))) return subject;
  if (matchPolicy !== 'Equivalent') return undefined;
  const { group, version } = subject.resource;
  const equivalents = subject.versions.equivalents();
  if (equivalents.length < 2) return undefined;
  const others = equivalents.filter(({ resource }) => resource.group !== group || resource.version !== version);
  for (const rule of rules) {
    const found = others.find(({ resource }) => namedRuleMatches(rule, subject, resource));
    if (found !== undefined) return found;
  }
  return undefined;
}

function namedRuleMatches(rule: NamedRuleWithOperations, subject: Subject, resource = subject.resource): boolean {
  const { resourceNames = [] } = rule;
  return ruleMatches(rule, subject, resource) && (resourceNames.length === 0 || resourceNames.includes(subject.name));
}
