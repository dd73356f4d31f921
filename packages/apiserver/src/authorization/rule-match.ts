import { withoutEnding } from '@binnacle/apimachinery/json';
import type { AuthorizationAttributes } from './authorizer.js';
import type { PolicyRule } from './role-source.js';

export const ALL = '*';

/** Whether one rule allows a request. Upstream: kubernetes `pkg/apis/rbac/v1/evaluation_helpers.go`. */
export function ruleAllows(rule: PolicyRule, attributes: AuthorizationAttributes): boolean {
  if (!includes(rule.verbs ?? [], attributes.verb)) return false;
  if (!attributes.isResourceRequest) return pathMatches(rule.nonResourceURLs ?? [], attributes.path);
  return (
    includes(rule.apiGroups ?? [], attributes.group) &&
    resourceMatches(rule.resources ?? [], attributes.resource, attributes.subresource) &&
    nameMatches(rule.resourceNames ?? [], attributes.name)
  );
}

function includes(allowed: readonly string[], asked: string): boolean {
  return allowed.includes(asked) || allowed.includes(ALL);
}

function resourceMatches(allowed: readonly string[], resource: string, subresource: string): boolean {
  if (allowed.includes(ALL)) return true;
  if (subresource === '') return allowed.includes(resource);
  return allowed.includes(`${resource}/${subresource}`) || allowed.includes(`*/${subresource}`);
}

function nameMatches(allowed: readonly string[], name: string): boolean {
  return allowed.length === 0 || allowed.includes(name);
}

function pathMatches(allowed: readonly string[], path: string): boolean {
  return allowed.some((pattern) => patternMatches(pattern, path));
}

/** A path matches itself, or every path with its prefix when it ends in a star. */
export function patternMatches(pattern: string, path: string): boolean {
  if (pattern === path) return true;
  return pattern.endsWith(ALL) && path.startsWith(withoutEnding(pattern, ALL));
}
