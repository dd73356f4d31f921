/** How much of a request is recorded. Each level includes the ones before. */
export type AuditLevel = 'None' | 'Metadata' | 'Request' | 'RequestResponse';

/** The stages of a request. Each has its own event. */
export type AuditStage = 'RequestReceived' | 'ResponseStarted' | 'ResponseComplete' | 'Panic';

export const AUDIT_LEVELS: readonly AuditLevel[] = ['None', 'Metadata', 'Request', 'RequestResponse'];
export const AUDIT_STAGES: readonly AuditStage[] = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'];

/** Which events to record, by the first rule that matches. Upstream: audit.k8s.io/v1 `Policy`. */
export interface AuditPolicy {
  readonly rules: readonly AuditRule[];
  readonly omitStages?: readonly AuditStage[];
  readonly omitManagedFields?: boolean;
}

/** A list that is absent or empty matches everything. */
export interface AuditRule {
  readonly level: AuditLevel;
  readonly users?: readonly string[];
  readonly userGroups?: readonly string[];
  readonly verbs?: readonly string[];
  readonly resources?: readonly AuditedResources[];
  /** An empty text selects requests without a namespace. */
  readonly namespaces?: readonly string[];
  /** Paths; `*` at the end matches any rest. */
  readonly nonResourceURLs?: readonly string[];
  /** In addition to those of the policy. */
  readonly omitStages?: readonly AuditStage[];
  /** Default: that of the policy. */
  readonly omitManagedFields?: boolean;
}

export interface AuditedResources {
  /** Default: the core group. */
  readonly group?: string;
  /** `pods`, `pods/log`, `pods/*`, `*\/scale` or `*`. */
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** The user of a request. */
export interface AuditedUser {
  readonly name: string;
  readonly groups: readonly string[];
}

/** The facts of a request by which a policy decides. */
export interface AuditedRequest {
  readonly verb: string;
  readonly isResourceRequest: boolean;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
}

export interface AuditDecision {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<AuditStage>;
  readonly omitManagedFields: boolean;
}

/**
 * Decides by the first matching rule; without one, nothing is recorded. `user`: undefined if the request is not authenticated.
 * Upstream: apiserver `pkg/audit/policy/checker.go`.
 */
export function decideAudit(
  policy: AuditPolicy,
  request: AuditedRequest,
  user: AuditedUser | undefined,
): AuditDecision {
  const rule = policy.rules.find((each) => matches(each, request, user));
  if (rule === undefined) return NOTHING;
  const known = decisions.get(rule);
  if (known !== undefined) return known;
  const decision = {
    level: rule.level,
    omitStages: new Set([...(policy.omitStages ?? []), ...(rule.omitStages ?? [])]),
    omitManagedFields: rule.omitManagedFields ?? policy.omitManagedFields ?? false,
  };
  decisions.set(rule, decision);
  return decision;
}

const NOTHING: AuditDecision = { level: 'None', omitStages: new Set(), omitManagedFields: false };
/** A rule belongs to one policy, and decides the same for all its requests. */
const decisions = new WeakMap<AuditRule, AuditDecision>();

const RANKS: Readonly<Record<AuditLevel, number>> = { None: 0, Metadata: 1, Request: 2, RequestResponse: 3 };

/** Whether a level records at least as much as another. */
export function isAtLeast(level: AuditLevel, least: AuditLevel): boolean {
  return RANKS[level] >= RANKS[least];
}

const NONE: readonly never[] = [];

function matches(rule: AuditRule, request: AuditedRequest, user: AuditedUser | undefined): boolean {
  const { users = NONE, userGroups = NONE, verbs = NONE } = rule;
  const { resources = NONE, namespaces = NONE, nonResourceURLs = NONE } = rule;
  if (users.length > 0 && (user === undefined || !users.includes(user.name))) return false;
  if (userGroups.length > 0 && user?.groups.some((group) => userGroups.includes(group)) !== true) return false;
  if (verbs.length > 0 && !verbs.includes(request.verb)) return false;
  if (namespaces.length > 0 || resources.length > 0) return matchesResource(namespaces, resources, request);
  if (nonResourceURLs.length > 0) {
    return !request.isResourceRequest && nonResourceURLs.some((pattern) => matchesPath(pattern, request.path));
  }
  return true;
}

function matchesResource(
  namespaces: readonly string[],
  resources: readonly AuditedResources[],
  request: AuditedRequest,
): boolean {
  if (!request.isResourceRequest) return false;
  if (namespaces.length > 0 && !namespaces.includes(request.namespace)) return false;
  return resources.length === 0 || resources.some((each) => includes(each, request));
}

function includes(
  { group = '', resources = [], resourceNames = [] }: AuditedResources,
  request: AuditedRequest,
): boolean {
  if (group !== request.group) return false;
  if (resources.length === 0) return true;
  if (resourceNames.length > 0 && !resourceNames.includes(request.name)) return false;
  const { resource, subresource } = request;
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  return resources.some(
    (pattern) =>
      pattern === '*' ||
      pattern === whole ||
      (subresource !== '' && (pattern === `*/${subresource}` || pattern === `${resource}/*`)),
  );
}

function matchesPath(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : pattern === path;
}
