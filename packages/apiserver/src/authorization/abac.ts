import type { AuthorizationAttributes, Authorizer } from './authorizer.js';
import { patternMatches } from './rule-match.js';

/** One line of a policy file. Empty texts match nothing. */
export interface AbacPolicy {
  readonly user: string;
  readonly group: string;
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

const READING: ReadonlySet<string> = new Set(['get', 'list', 'watch']);
const ALL = '*';

/** Allows what a policy allows. It never denies. Upstream: kubernetes `pkg/auth/authorizer/abac`. */
export function abacAuthorizer(policies: readonly AbacPolicy[]): Authorizer {
  return {
    authorize: (attributes) =>
      policies.some((policy) => allows(policy, attributes))
        ? { allowed: true, reason: '' }
        : { allowed: false, reason: 'No policy matched.' },
  };
}

function allows(policy: AbacPolicy, attributes: AuthorizationAttributes): boolean {
  const { user, verb, isResourceRequest, namespace, group, resource, path } = attributes;
  if (policy.user === '' && policy.group === '') return false;
  if (policy.user !== '' && policy.user !== ALL && policy.user !== user.name) return false;
  if (policy.group !== '' && !user.groups.includes(policy.group)) return false;
  if (policy.readonly && !READING.has(verb)) return false;
  if (!isResourceRequest) return patternMatches(policy.nonResourcePath, path);
  return isOrAll(policy.namespace, namespace) && isOrAll(policy.resource, resource) && isOrAll(policy.apiGroup, group);
}

function isOrAll(allowed: string, asked: string): boolean {
  return allowed === ALL || allowed === asked;
}
