import {
  anything,
  flag,
  kind,
  listOf,
  nested,
  readLenientConfiguration,
  strictError,
  struct,
  text,
  texts,
} from '@binnacle/apimachinery/configuration';
import { isObject, type JsonObject } from '@binnacle/apimachinery/json';
import {
  type FieldError,
  formatFieldErrors,
  invalidValue,
  notSupported,
  required,
} from '@binnacle/apimachinery/status';
import { nameIsDnsSubdomain } from '@binnacle/apimachinery/validation';
import { AUDIT_LEVELS, AUDIT_STAGES, type AuditedResources, type AuditPolicy, type AuditRule } from '../policy.js';

const resources = struct('v1.GroupResources', { group: text, resources: texts, resourceNames: texts });
const rule = struct('v1.PolicyRule', {
  level: text,
  users: texts,
  userGroups: texts,
  verbs: texts,
  resources: listOf(nested(resources)),
  namespaces: texts,
  nonResourceURLs: texts,
  omitStages: texts,
  omitManagedFields: flag,
});
const policy = kind('v1.Policy', {
  // Like upstream's, it has no effect.
  metadata: anything,
  rules: listOf(nested(rule)),
  omitStages: texts,
  omitManagedFields: flag,
});
const kinds = new Map([['audit.k8s.io/v1/Policy', policy]]);

export interface ReadAuditPolicy {
  readonly policy: AuditPolicy;
  /** What the server ignores in the file, in upstream's words. */
  readonly warnings: readonly string[];
}

/**
 * Reads the text of `--audit-policy-file`. Throws an Error in upstream's words that names no file. Like upstream, it warns of unknown
 * fields; unlike upstream, it refuses unknown stages of the whole policy. Upstream: apiserver `pkg/audit/policy/reader.go` and
 * `pkg/apis/audit/validation`.
 */
export function readAuditPolicy(source: string): ReadAuditPolicy {
  const { object: given, problems } = readLenientConfiguration(source, kinds);
  const errors = [...validateRules(given['rules']), ...validateStages(given['omitStages'], 'omitStages')];
  if (errors.length > 0) throw new Error(formatFieldErrors(errors));
  if (!isPolicy(given)) throw new Error('loaded illegal policy with 0 rules');
  const fallback = 'Audit policy contains errors, falling back to lenient decoding: ';
  return { policy: given, warnings: problems.length === 0 ? [] : [fallback + strictError(problems)] };
}

/** The decoder has checked the types of all fields. */
function isPolicy(given: JsonObject): given is JsonObject & AuditPolicy {
  return Array.isArray(given['rules']) && given['rules'].length > 0;
}

function validateRules(rules: unknown): FieldError[] {
  return itemsOf(rules).flatMap((each, index) => validateRule(each as Partial<AuditRule>, `rules[${index}]`));
}

function validateRule(given: Partial<AuditRule>, field: string): FieldError[] {
  const { level = '', nonResourceURLs = [], namespaces = [], omitStages } = given;
  const errors: FieldError[] = [];
  if (level === '') errors.push(required(`${field}.level`, ''));
  else if (!AUDIT_LEVELS.includes(level)) errors.push(notSupported(`${field}.level`, level, AUDIT_LEVELS));
  for (const [index, path] of nonResourceURLs.entries()) {
    errors.push(...validatePath(path, `${field}.nonResourceURLs[${index}]`));
  }
  for (const each of given.resources ?? []) errors.push(...validateResources(each, `${field}.resources`));
  errors.push(...validateStages(omitStages, `${field}.omitStages`));
  if (nonResourceURLs.length > 0 && ((given.resources ?? []).length > 0 || namespaces.length > 0)) {
    const detail = 'rules cannot apply to both regular resources and non-resource URLs';
    errors.push(invalidValue(`${field}.nonResourceURLs`, nonResourceURLs, detail));
  }
  return errors;
}

function validatePath(path: string, field: string): FieldError[] {
  if (path === '*') return [];
  const errors: FieldError[] = [];
  if (!path.startsWith('/')) {
    errors.push(invalidValue(field, path, "non-resource URL rules must begin with a '/' character"));
  }
  if (path.slice(0, -1).includes('*')) {
    errors.push(invalidValue(field, path, "non-resource URL wildcards '*' must be the final character of the rule"));
  }
  return errors;
}

function validateResources({ group = '', resources: names = [], resourceNames = [] }: AuditedResources, field: string) {
  const errors: FieldError[] = [];
  const problems = group === '' ? [] : nameIsDnsSubdomain(group, false);
  if (problems.length > 0) errors.push(invalidValue(`${field}.group`, group, problems.join(',')));
  if (resourceNames.length > 0 && names.length === 0) {
    const detail = 'using resourceNames requires at least one resource';
    errors.push(invalidValue(`${field}.resourceNames`, resourceNames, detail));
  }
  return errors;
}

function validateStages(stages: unknown, field: string): FieldError[] {
  const known: readonly string[] = AUDIT_STAGES;
  return itemsOf(stages).flatMap((stage, index) =>
    typeof stage === 'string' && known.includes(stage)
      ? []
      : [invalidValue(`${field}[${index}]`, String(stage), `allowed stages are ${AUDIT_STAGES.join(',')}`)],
  );
}

function itemsOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string' || isObject(item)) : [];
}
