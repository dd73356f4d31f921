import type { RuleWithOperations } from '@binnacle/api/types/admissionregistration-v1';
import type { GroupVersionResource } from '@binnacle/apimachinery/meta';
import type { Operation } from '../plugin.js';

/** The parts of a request that rules select. */
export interface RuleSubject {
  readonly operation: Operation;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  /** Of a Namespace: its own name. Empty for other objects without a namespace. */
  readonly namespace: string;
}

/**
 * Whether a rule selects a request, or would if the request were for `resource`. Upstream: apiserver
 * `plugin/webhook/predicates/rules`.
 */
export function ruleMatches(rule: RuleWithOperations, subject: RuleSubject, resource = subject.resource): boolean {
  const { group, version } = resource;
  return (
    scopeMatches(rule.scope ?? '*', subject.namespace, resource) &&
    names(rule.operations, subject.operation) &&
    names(rule.apiGroups, group) &&
    names(rule.apiVersions, version) &&
    (rule.resources ?? []).some((text) => resourceMatches(text, resource.resource, subject.subresource))
  );
}

function names(listed: readonly string[] | undefined, value: string): boolean {
  return listed?.some((each) => each === '*' || each === value) ?? false;
}

/** A Namespace has cluster scope, although its request names a namespace. */
function scopeMatches(scope: string, namespace: string, { group, version, resource }: GroupVersionResource): boolean {
  if (scope === '*') return true;
  const isNamespace = group === '' && version === 'v1' && resource === 'namespaces';
  const isNamespaced = namespace !== '' && !isNamespace;
  return isNamespaced ? scope === 'Namespaced' : scope === 'Cluster';
}

/** `pods`, `pods/status`, `pods/*`, `*`, `*` + `/scale`. Without a slash it names no subresource. */
function resourceMatches(text: string, resource: string, subresource: string): boolean {
  const slash = text.indexOf('/');
  const wanted = slash < 0 ? text : text.slice(0, slash);
  const wantedSubresource = slash < 0 ? '' : text.slice(slash + 1);
  return (wanted === '*' || wanted === resource) && (wantedSubresource === '*' || wantedSubresource === subresource);
}
