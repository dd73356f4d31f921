import type {
  FlowSchemaSpec,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from '@binnacle/api/types/flowcontrol-v1';
import type { UserInfo } from '../authentication/index.js';
import type { RequestInfo } from '../request/index.js';

/** The facts of a request by which a flow schema matches it. */
export type RequestFacts = Pick<
  RequestInfo,
  'isResourceRequest' | 'verb' | 'group' | 'resource' | 'subresource' | 'namespace' | 'path'
>;

const EVERY = '*';
const SERVICE_ACCOUNT = 'system:serviceaccount:';

/** The rules that name the user or one of its groups. Upstream: `pkg/util/flowcontrol/rule.go`. */
export function rulesOf(user: UserInfo, { rules = [] }: Partial<FlowSchemaSpec>): readonly PolicyRulesWithSubjects[] {
  return rules.filter(({ subjects = [] }: Partial<PolicyRulesWithSubjects>) =>
    subjects.some((subject) => isSubject(user, subject)),
  );
}

/** Whether one of the rules, which name the request's user, matches the request. */
export function matches(rules: readonly PolicyRulesWithSubjects[], request: RequestFacts): boolean {
  return rules.some(({ resourceRules = [], nonResourceRules = [] }) =>
    request.isResourceRequest
      ? resourceRules.some((rule) => matchesResource(rule, request))
      : nonResourceRules.some((rule) => matchesPath(rule, request)),
  );
}

function isSubject({ name, groups }: UserInfo, subject: Subject): boolean {
  const { kind, user, group, serviceAccount } = subject;
  if (kind === 'User') return user !== undefined && (user.name === EVERY || user.name === name);
  if (kind === 'Group') return group !== undefined && (group.name === EVERY || groups.includes(group.name));
  if (kind !== 'ServiceAccount' || serviceAccount === undefined) return false;
  const account = `${SERVICE_ACCOUNT}${serviceAccount.namespace}:`;
  return serviceAccount.name === EVERY ? name.startsWith(account) : name === account + serviceAccount.name;
}

function matchesResource(
  { verbs = [], apiGroups = [], resources = [], namespaces = [], clusterScope }: Partial<ResourcePolicyRule>,
  { verb, group, resource, subresource, namespace }: RequestFacts,
): boolean {
  if (!admits(verbs, verb) || !admits(apiGroups, group)) return false;
  if (!admits(resources, subresource === '' ? resource : `${resource}/${subresource}`)) return false;
  return namespace === '' ? clusterScope === true : admits(namespaces, namespace);
}

function matchesPath(
  { verbs = [], nonResourceURLs = [] }: Partial<NonResourcePolicyRule>,
  { verb, path }: RequestFacts,
): boolean {
  return admits(verbs, verb) && nonResourceURLs.some((url) => isAt(url, path));
}

/** A URL matches the paths below it too, with or without a star. */
function isAt(url: string, path: string): boolean {
  if (url === EVERY || url === path) return true;
  const folder = url.endsWith(EVERY) ? url.slice(0, -1) : url;
  return path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** `*` matches every value only when it is the sole entry. */
function admits(values: readonly string[], value: string): boolean {
  return (values.length === 1 && values[0] === EVERY) || values.includes(value);
}
