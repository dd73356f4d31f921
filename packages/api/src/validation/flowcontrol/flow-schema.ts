import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '@binnacle/apimachinery/status';
import { invalidFor, nameIsDnsLabel, nameIsDnsSubdomain, semanticEqual } from '@binnacle/apimachinery/validation';
import type {
  FlowSchema,
  FlowSchemaSpec,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  ServiceAccountSubject,
  Subject,
} from '../../generated/types/flowcontrol-v1.js';
import { each, list, wholeMetadata } from '../common.js';
import { MANDATORY_FLOW_SCHEMAS, SHOWN_FLOW_SCHEMA_SPEC } from './mandatory-objects.js';
import { shownStruct } from '../go-struct.js';

// Upstream: `ValidateFlowSchema`.

const PRECEDENCE_MAXIMUM = 10_000;
const METHODS = ['ByNamespace', 'ByUser'];
const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];
const EVERY = '*';

export function validateFlowSchema(object: FlowSchema): FieldError[] {
  const name = object.metadata?.name ?? '';
  const errors = specErrors(name, object.spec ?? {});
  const fixed = MANDATORY_FLOW_SCHEMAS.get(name);
  if (fixed !== undefined && !semanticEqual(object.spec, fixed)) {
    const shown = shownStruct(object.spec, SHOWN_FLOW_SCHEMA_SPEC);
    errors.push(invalidValue('spec', shown, `spec of '${name}' must equal the fixed value`));
  }
  return [...errors, ...validateFlowControlConditions(object.status?.conditions)];
}

function specErrors(name: string, spec: Partial<FlowSchemaSpec>): FieldError[] {
  const { distinguisherMethod: method, priorityLevelConfiguration: level } = spec;
  const path = 'spec.priorityLevelConfiguration.name';
  return [
    ...precedence(name, spec.matchingPrecedence ?? 0, 'spec.matchingPrecedence'),
    ...(method === undefined || METHODS.includes(method.type)
      ? []
      : [notSupported('spec.distinguisherMethod.type', { Type: method.type ?? '' }, METHODS)]),
    ...(level?.name
      ? invalidFor(path, level.name, nameIsDnsSubdomain(level.name, false))
      : [required(path, 'must reference a priority level')]),
    ...each(spec.rules, 'spec.rules', policyRule),
  ];
}

function precedence(name: string, value: number, field: string): FieldError[] {
  const problem = (detail: string): FieldError[] => [invalidValue(field, value, detail)];
  if (value <= 0) return problem('must be a positive value');
  if (value > PRECEDENCE_MAXIMUM) return problem(`must not be greater than ${PRECEDENCE_MAXIMUM}`);
  if (value === 1 && name !== 'exempt') {
    return problem("only the schema named 'exempt' may have matchingPrecedence 1");
  }
  return [];
}

function policyRule(rule: Partial<PolicyRulesWithSubjects>, path: string): FieldError[] {
  const empty = list(rule.resourceRules).length + list(rule.nonResourceRules).length === 0;
  return [
    ...(list(rule.subjects).length === 0
      ? [required(`${path}.subjects`, 'subjects must contain at least one value')]
      : each(rule.subjects, `${path}.subjects`, subject)),
    ...(empty ? [required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty')] : []),
    ...each(rule.resourceRules, `${path}.resourceRules`, resourceRule),
    ...each(rule.nonResourceRules, `${path}.nonResourceRules`, nonResourceRule),
  ];
}

const SUBJECT_FIELDS = { Group: 'group', ServiceAccount: 'serviceAccount', User: 'user' } as const;
/** Fields that belong to other subject kinds, in the order of upstream's checks. */
const FOREIGN_FIELDS = {
  Group: ['ServiceAccount', 'User'],
  ServiceAccount: ['User', 'Group'],
  User: ['ServiceAccount', 'Group'],
} as const;

function subject(item: Subject, path: string): FieldError[] {
  const kind = item.kind;
  if (kind !== 'Group' && kind !== 'ServiceAccount' && kind !== 'User') {
    return [notSupported(`${path}.kind`, kind ?? '', ['Group', 'ServiceAccount', 'User'])];
  }
  const own = SUBJECT_FIELDS[kind];
  const given = item[own];
  const errors =
    given === undefined
      ? [required(`${path}.${own}`, `${own} is required when subject kind is '${kind}'`)]
      : kind === 'ServiceAccount'
        ? serviceAccount(item.serviceAccount ?? {}, `${path}.${own}`)
        : given.name
          ? []
          : [required(`${path}.${own}.name`, '')];
  const foreign = FOREIGN_FIELDS[kind].filter((other) => item[SUBJECT_FIELDS[other]] !== undefined);
  return [
    ...errors,
    ...foreign.map((other) => {
      const field = SUBJECT_FIELDS[other];
      return forbiddenField(`${path}.${field}`, `${field} is forbidden when subject kind is not '${other}'`);
    }),
  ];
}

function serviceAccount(account: Partial<ServiceAccountSubject>, path: string): FieldError[] {
  const { name = '', namespace = '' } = account;
  const any = name === '' || name === EVERY;
  return [
    ...(name === '' ? [required(`${path}.name`, '')] : []),
    ...(any ? [] : invalidFor(`${path}.name`, name, nameIsDnsSubdomain(name, false))),
    ...(namespace === ''
      ? [required(`${path}.namespace`, 'must specify namespace for service account')]
      : invalidFor(`${path}.namespace`, namespace, nameIsDnsLabel(namespace, false))),
  ];
}

function verbs(given: readonly string[], field: string): FieldError[] {
  if (given.length === 0) return [required(field, 'verbs must contain at least one value')];
  if (given.includes(EVERY)) return alone(given, field, 'verbs');
  return given.every((verb) => VERBS.includes(verb)) ? [] : [notSupported(field, given, VERBS)];
}

function alone(given: readonly string[], field: string, what: string): FieldError[] {
  if (given.length <= 1 || !given.includes(EVERY)) return [];
  return [invalidValue(field, given, `if '*' is present, must not specify other ${what}`)];
}

function resourceRule(rule: Partial<ResourcePolicyRule>, path: string): FieldError[] {
  const groups = list(rule.apiGroups);
  const resources = list(rule.resources);
  return [
    ...verbs(list(rule.verbs), `${path}.verbs`),
    ...(groups.length === 0
      ? [required(`${path}.apiGroups`, 'resource rules must supply at least one api group')]
      : alone(groups, `${path}.apiGroups`, 'api groups')),
    ...(resources.length === 0
      ? [required(`${path}.resources`, 'resource rules must supply at least one resource')]
      : alone(resources, `${path}.resources`, 'resources')),
    ...namespaces(list(rule.namespaces), rule.clusterScope === true, `${path}.namespaces`),
  ];
}

function namespaces(given: readonly string[], clusterScope: boolean, field: string): FieldError[] {
  if (given.length === 0 && !clusterScope) {
    return [required(field, 'resource rules that are not cluster scoped must supply at least one namespace')];
  }
  if (given.includes(EVERY)) return alone(given, field, 'namespaces');
  return each(given, field, (namespace, path) =>
    nameIsDnsLabel(namespace, false).map((message) =>
      invalidValue(path, namespace, `each member of this list must be '*' or a DNS-1123 label; ${message}`),
    ),
  );
}

function nonResourceRule(rule: Partial<NonResourcePolicyRule>, path: string): FieldError[] {
  const urls = list(rule.nonResourceURLs);
  const field = `${path}.nonResourceURLs`;
  return [
    ...verbs(list(rule.verbs), `${path}.verbs`),
    ...(urls.length === 0
      ? [required(field, 'nonResourceURLs must contain at least one value')]
      : urls.includes(EVERY)
        ? alone(urls, field, 'non-resource URLs')
        : each(urls, field, (url, urlPath) => {
            const problem = urlProblem(url);
            return problem === undefined ? [] : [invalidValue(urlPath, url, problem)];
          })),
  ];
}

function urlProblem(url: string): string | undefined {
  if (url === '') return 'must not be empty';
  if (url === '/') return undefined;
  if (!url.startsWith('/')) return 'must start with slash';
  if (url.includes(' ')) return 'must not contain white-space';
  if (url.includes('//')) return 'must not contain double slash';
  const wildcard = url.indexOf(EVERY);
  return wildcard < 0 || (wildcard === url.length - 1 && url.endsWith('/*'))
    ? undefined
    : 'wildcard can only do suffix matching';
}

interface FlowControlCondition {
  readonly type?: string | undefined;
}

/** The only rule for conditions of flow schemas and priority levels. */
export function validateFlowControlConditions(conditions: readonly FlowControlCondition[] | undefined): FieldError[] {
  const seen = new Set<string>();
  return each(conditions, 'status.conditions', ({ type = '' }, path) => {
    const errors = seen.has(type) ? [duplicate(`${path}.type`, type)] : [];
    seen.add(type);
    return type === '' ? [...errors, required(`${path}.type`, '')] : errors;
  });
}

export function validateFlowSchemaUpdate(object: FlowSchema): FieldError[] {
  return [...wholeMetadata(object, false, nameIsDnsSubdomain), ...validateFlowSchema(object)];
}

export function validateFlowSchemaStatusUpdate(object: FlowSchema): FieldError[] {
  return validateFlowControlConditions(object.status?.conditions);
}
