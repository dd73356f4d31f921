import { duplicate, type FieldError, invalidValue, notSupported, required } from '@binnacle/apimachinery/status';
import { errorsOfEach, invalidFor, nameIsPathSegment } from '@binnacle/apimachinery/validation';
import type {
  MatchResources,
  NamedRuleWithOperations,
  RuleWithOperations,
} from '../../generated/types/admissionregistration-v1.js';
import { each, list } from '../common.js';
import { labelSelector } from '../label-selector.js';

// Which requests a rule matches. Upstream: `pkg/apis/admissionregistration/validation`.

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const MUTATING_OPERATIONS = ['*', 'CONNECT', 'CREATE', 'UPDATE'];
const SCOPES = ['*', 'Cluster', 'Namespaced'];
const MATCH_POLICIES = ['Equivalent', 'Exact'];
const EVERY = '*';

/** Accepts absence or a supported value. The empty string is not a supported value. */
export function optionalValue(value: string | undefined, supported: readonly string[], field: string): FieldError[] {
  return value === undefined || supported.includes(value) ? [] : [notSupported(field, value, supported)];
}

export function validateMatchPolicy(policy: string | undefined, field: string): FieldError[] {
  return optionalValue(policy, MATCH_POLICIES, field);
}

export function validateRule(rule: RuleWithOperations, path: string): FieldError[] {
  const operations = list(rule.operations);
  const groups = list(rule.apiGroups);
  const versions = list(rule.apiVersions);
  const none = (values: readonly string[], name: string): FieldError[] =>
    values.length === 0 ? [required(`${path}.${name}`, '')] : [];
  return [
    ...none(operations, 'operations'),
    ...alone(operations, `${path}.operations`, 'operations'),
    ...each(operations, `${path}.operations`, (operation, at) => optionalValue(operation, OPERATIONS, at)),
    ...none(groups, 'apiGroups'),
    ...alone(groups, `${path}.apiGroups`, 'API groups'),
    ...none(versions, 'apiVersions'),
    ...alone(versions, `${path}.apiVersions`, 'API versions'),
    ...each(versions, `${path}.apiVersions`, (version, at) => (version === '' ? [required(at, '')] : [])),
    ...none(list(rule.resources), 'resources'),
    ...resources(list(rule.resources), `${path}.resources`),
    ...optionalValue(rule.scope, SCOPES, `${path}.scope`),
  ];
}

function alone(values: readonly string[], field: string, what: string): FieldError[] {
  if (values.length <= 1 || !values.includes(EVERY)) return [];
  return [invalidValue(field, values, `if '*' is present, must not specify other ${what}`)];
}

/** `pods` or `pods/status`, with `*` for either part. A value that a wildcard covers is a duplicate. */
function resources(values: readonly string[], field: string): FieldError[] {
  const everySubresourceOf = new Set<string>();
  const subresourceOfEvery = new Set<string>();
  // Only the last plain name counts, like upstream.
  let plain = false;
  const errors = each(values, field, (value, path) => {
    if (value === '') return [required(path, '')];
    const slash = value.indexOf('/');
    if (slash < 0) {
      plain = value !== EVERY;
      return [];
    }
    const resource = value.slice(0, slash);
    const subresource = value.slice(slash + 1);
    const covered: FieldError[] = [];
    if (everySubresourceOf.has(resource)) {
      covered.push(invalidValue(path, value, `if '${resource}/*' is present, must not specify ${value}`));
    }
    if (subresourceOfEvery.has(subresource)) {
      covered.push(invalidValue(path, value, `if '*/${subresource}' is present, must not specify ${value}`));
    }
    if (subresource === EVERY) everySubresourceOf.add(resource);
    if (resource === EVERY) subresourceOfEvery.add(subresource);
    return covered;
  });
  if (values.length > 1 && values.includes('*/*')) {
    errors.push(invalidValue(field, values, "if '*/*' is present, must not specify other resources"));
  }
  if (values.includes(EVERY) && plain) {
    const detail = "if '*' is present, must not specify other resources without subresources";
    errors.push(invalidValue(field, values, detail));
  }
  return errors;
}

function namedRule(rule: NamedRuleWithOperations, path: string): FieldError[] {
  const seen = new Set<string>();
  return [
    ...each(rule.resourceNames, `${path}.resourceNames`, (name, at) => {
      const errors = invalidFor(at, name, nameIsPathSegment(name, false));
      if (seen.has(name)) errors.push(duplicate(at, name));
      seen.add(name);
      return errors;
    }),
    ...validateRule(rule, path),
  ];
}

export function validateMatchResources(resources: MatchResources | undefined, field: string): FieldError[] {
  if (resources === undefined) return [];
  const { matchPolicy, namespaceSelector, objectSelector } = resources;
  return [
    ...(matchPolicy === undefined
      ? [required(`${field}.matchPolicy`, '')]
      : validateMatchPolicy(matchPolicy, `${field}.matchPolicy`)),
    ...(namespaceSelector === undefined
      ? [required(`${field}.namespaceSelector`, '')]
      : labelSelector(namespaceSelector, `${field}.namespaceSelector`)),
    ...(objectSelector === undefined
      ? [required(`${field}.objectSelector`, '')]
      : labelSelector(objectSelector, `${field}.objectSelector`)),
    ...each(resources.resourceRules, `${field}.resourceRules`, namedRule),
    ...each(resources.excludeResourceRules, `${field}.excludeResourceRules`, namedRule),
  ];
}

/** A mutating policy cannot match DELETE: a deleted object cannot be changed. */
export function validateMutatingOperations(resources: MatchResources | undefined, field: string): FieldError[] {
  return errorsOfEach(resources?.resourceRules, (rule) =>
    errorsOfEach(rule.operations, (operation) =>
      optionalValue(operation, MUTATING_OPERATIONS, `${field}.resourceRules.operations`),
    ),
  );
}
