import { type FieldError, invalidValue, notSupported, required } from '@binnacle/apimachinery/status';
import {
  invalidFor,
  itemByItem,
  nameIsDnsSubdomain,
  nameIsPathSegment,
  semanticEqual,
  validateLabelSelector,
} from '@binnacle/apimachinery/validation';
import type { Steps } from '@binnacle/apimachinery/work';
import type {
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  Role,
  RoleBinding,
  RoleRef,
  Subject,
} from '../generated/types/rbac-v1.js';
import { each, finalizerDomains, list, requireText, selects, shownSelector, wholeMetadata } from './common.js';

// Upstream: `pkg/apis/rbac/validation`.

const GROUP = 'rbac.authorization.k8s.io';

/** Names of roles and bindings: a path segment, generated or not. */
export function rbacName(name: string): string[] {
  return nameIsPathSegment(name, false);
}

export function validateRole(object: Role): Steps<FieldError[]> {
  return itemByItem(object.rules, 'rules', (rule, path) => policyRule(rule, true, path));
}

export function* validateRoleUpdate(object: Role): Steps<FieldError[]> {
  return [...wholeMetadata(object, true, rbacName), ...(yield* validateRole(object)), ...finalizerDomains(object)];
}

export function* validateClusterRole(object: ClusterRole): Steps<FieldError[]> {
  const errors = yield* itemByItem(object.rules, 'rules', (rule, path) => policyRule(rule, false, path));
  return [...errors, ...aggregation(object)];
}

export function* validateClusterRoleUpdate(object: ClusterRole): Steps<FieldError[]> {
  return [
    ...wholeMetadata(object, false, rbacName),
    ...(yield* validateClusterRole(object)),
    ...finalizerDomains(object),
  ];
}

function aggregation(object: ClusterRole): FieldError[] {
  const field = 'aggregationRule.clusterRoleSelectors';
  if (object.aggregationRule === undefined) return [];
  if (list(object.aggregationRule.clusterRoleSelectors).length === 0) {
    return [required(field, 'at least one clusterRoleSelector required if aggregationRule is non-nil')];
  }
  return each(object.aggregationRule.clusterRoleSelectors, field, (selector, path) => [
    ...validateLabelSelector(selector as Parameters<typeof validateLabelSelector>[0], path),
    ...(selects(selector, {}) === undefined
      ? [invalidValue(path, shownSelector(selector), 'invalid label selector.')]
      : []),
  ]);
}

function policyRule(rule: PolicyRule, namespaced: boolean, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (list(rule.verbs).length === 0) errors.push(required(`${path}.verbs`, 'verbs must contain at least one value'));
  const urls = list(rule.nonResourceURLs);
  if (urls.length > 0) {
    const field = `${path}.nonResourceURLs`;
    if (namespaced) {
      errors.push(invalidValue(field, urls, 'namespaced rules cannot apply to non-resource URLs'));
    }
    if (list(rule.apiGroups).length + list(rule.resources).length + list(rule.resourceNames).length > 0) {
      errors.push(invalidValue(field, urls, 'rules cannot apply to both regular resources and non-resource URLs'));
    }
    return errors;
  }
  if (list(rule.apiGroups).length === 0) {
    errors.push(required(`${path}.apiGroups`, 'resource rules must supply at least one api group'));
  }
  if (list(rule.resources).length === 0) {
    errors.push(required(`${path}.resources`, 'resource rules must supply at least one resource'));
  }
  return errors;
}

export function validateRoleBinding(object: RoleBinding): FieldError[] {
  return binding(object, true);
}

export function validateRoleBindingUpdate(object: RoleBinding, old: RoleBinding): FieldError[] {
  return bindingUpdate(object, old, true);
}

export function validateClusterRoleBinding(object: ClusterRoleBinding): FieldError[] {
  return binding(object, false);
}

export function validateClusterRoleBindingUpdate(object: ClusterRoleBinding, old: ClusterRoleBinding): FieldError[] {
  return bindingUpdate(object, old, false);
}

type AnyBinding = RoleBinding | ClusterRoleBinding;

function binding(object: AnyBinding, namespaced: boolean): FieldError[] {
  return [
    ...roleReference(object.roleRef, namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole']),
    ...each(object.subjects, 'subjects', (item, path) => subject(item, namespaced, path)),
  ];
}

function bindingUpdate(object: AnyBinding, old: AnyBinding, namespaced: boolean): FieldError[] {
  const { apiGroup, kind, name } = object.roleRef;
  const shown = { APIGroup: apiGroup ?? '', Kind: kind, Name: name };
  return [
    ...wholeMetadata(object, namespaced, rbacName),
    ...binding(object, namespaced),
    ...finalizerDomains(object),
    ...(semanticEqual(object.roleRef, old.roleRef) ? [] : [invalidValue('roleRef', shown, 'cannot change roleRef')]),
  ];
}

function roleReference(reference: RoleRef | undefined, kinds: readonly string[]): FieldError[] {
  const { apiGroup = '', kind = '', name = '' }: Partial<RoleRef> = reference ?? {};
  return [
    ...(apiGroup === GROUP ? [] : [notSupported('roleRef.apiGroup', apiGroup, [GROUP])]),
    ...(kinds.includes(kind) ? [] : [notSupported('roleRef.kind', kind, kinds)]),
    ...(name === '' ? [required('roleRef.name', '')] : invalidFor('roleRef.name', name, rbacName(name))),
  ];
}

function subject(item: Subject, namespaced: boolean, path: string): FieldError[] {
  const errors = requireText(item.name, `${path}.name`);
  const group = item.apiGroup ?? '';
  switch (item.kind) {
    case 'ServiceAccount':
      if (item.name) errors.push(...invalidFor(`${path}.name`, item.name, nameIsDnsSubdomain(item.name, false)));
      if (group !== '') errors.push(notSupported(`${path}.apiGroup`, group, ['']));
      if (!namespaced) errors.push(...requireText(item.namespace, `${path}.namespace`));
      return errors;
    case 'User':
    case 'Group':
      return group === GROUP ? errors : [...errors, notSupported(`${path}.apiGroup`, group, [GROUP])];
    default:
      return [...errors, notSupported(`${path}.kind`, item.kind ?? '', ['ServiceAccount', 'User', 'Group'])];
  }
}
