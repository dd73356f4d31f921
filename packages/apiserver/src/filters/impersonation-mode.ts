import { formatFieldErrors, quoteGo, type StatusError } from '@binnacle/apimachinery/status';
import { nameIsDnsSubdomain, validateDomainPrefixedPath } from '@binnacle/apimachinery/validation';
import {
  ALL_AUTHENTICATED,
  ALL_UNAUTHENTICATED,
  anonymousUser,
  parseServiceAccountUser,
  serviceAccountGroups,
  type UserInfo,
} from '../authentication/index.js';
import type { AuthorizationAttributes, Decision } from '../authorization/index.js';
import { forbiddenRequest } from './authorization.js';

const NODE_PREFIX = 'system:node:';
const NODE_KEY = 'authentication.kubernetes.io/node-name';
const NODE_KEYS = 'authentication.kubernetes.io/associated-node-keys';
/** From this number of groups on, one check for all of them comes first. */
const MANY = 4;

/** One of the rights that allow a user to impersonate another. */
export interface ImpersonationMode {
  /** Set for constrained modes, which also need a right to the request itself. */
  readonly constraint: string | undefined;
  /** Whether the mode applies to these users. */
  applies(wanted: UserInfo, requestor: UserInfo): boolean;
  /** Rewrites the authorization check for this mode. */
  readonly rewrite?: (attributes: AuthorizationAttributes) => AuthorizationAttributes;
}

/** Asks the authorizer for a right that a mode needs. */
export type AskForRight = (mode: ImpersonationMode, attributes: AuthorizationAttributes) => Promise<Decision>;

/** In the order of trial: the narrowest right first. */
export const impersonationModes: readonly ImpersonationMode[] = [
  {
    constraint: 'associated-node',
    applies: (wanted, requestor) => isNameAlone(wanted) && isOnNode(requestor, nodeOf(wanted.name)),
    // The right covers any node of the account's pods, so the check omits the node's name.
    rewrite: (attributes) => ({
      ...attributes,
      user: { ...attributes.user, extra: { [NODE_KEYS]: Object.keys(attributes.user.extra).sort() } },
      name: attributes.verb === 'impersonate:associated-node' ? '*' : attributes.name,
    }),
  },
  { constraint: 'arbitrary-node', applies: (wanted) => isNameAlone(wanted) && nodeOf(wanted.name) !== undefined },
  {
    constraint: 'serviceaccount',
    applies: (wanted) => isNameAlone(wanted) && parseServiceAccountUser(wanted.name) !== undefined,
  },
  {
    constraint: 'user-info',
    applies: ({ name }) => nodeOf(name) === undefined && parseServiceAccountUser(name) === undefined,
  },
  { constraint: undefined, applies: () => true },
];

/**
 * Checks every part of the wanted user. Returns the impersonated user, or the first refusal.
 * Upstream: apiserver `pkg/endpoints/filters/impersonation`.
 */
export class ImpersonationCheck {
  readonly #askForRight: AskForRight;
  readonly #mode: ImpersonationMode;
  /** The request to be impersonated. */
  readonly #request: AuthorizationAttributes;

  constructor(ask: AskForRight, mode: ImpersonationMode, request: AuthorizationAttributes) {
    this.#askForRight = ask;
    this.#mode = mode;
    this.#request = request;
  }

  async run(wanted: UserInfo): Promise<UserInfo | StatusError> {
    const { constraint } = this.#mode;
    const steps = [
      () =>
        constraint === undefined
          ? undefined
          : this.#ask({ ...this.#request, verb: `impersonate-on:${constraint}:${this.#request.verb}` }),
      () => this.#ask(this.#subject(wanted.name)),
      () => (wanted.uid === '' ? undefined : this.#ask(this.#about('uids', wanted.uid))),
      () => this.#askGroups(wanted.groups),
      () => this.#askExtra(wanted.extra),
    ];
    for (const step of steps) {
      const refusal = await step();
      if (refusal !== undefined) return refusal;
    }
    return { ...wanted, groups: withStandardGroup(wanted.name, this.#groupsOf(wanted)) };
  }

  /** Groups that follow from the name. */
  #groupsOf({ name, groups }: UserInfo): readonly string[] {
    if (groups.length > 0) return groups;
    const account = parseServiceAccountUser(name);
    if (account !== undefined) return serviceAccountGroups(account.namespace);
    return this.#mode.constraint !== undefined && nodeOf(name) !== undefined ? ['system:nodes'] : [];
  }

  #subject(name: string): AuthorizationAttributes {
    const account = parseServiceAccountUser(name);
    if (account !== undefined) return { ...this.#named('serviceaccounts', account.name), namespace: account.namespace };
    const node = this.#mode.constraint === undefined ? undefined : nodeOf(name);
    return node === undefined ? this.#named('users', name) : this.#named('nodes', node);
  }

  async #askGroups(groups: readonly string[]): Promise<StatusError | undefined> {
    if (groups.length === 0) return undefined;
    if (this.#mode.constraint !== undefined) {
      if (groups.includes('')) {
        return forbiddenRequest(this.#named('groups', ''), 'impersonating the empty string group is not allowed');
      }
      if (groups.includes('system:masters')) {
        const why = 'impersonating the system:masters group is not allowed';
        return forbiddenRequest(this.#named('groups', 'system:masters'), why);
      }
      if (groups.length >= MANY && (await this.#ask(this.#named('groups', '*'))) === undefined) return undefined;
    }
    for (const group of groups) {
      const refusal = await this.#ask(this.#named('groups', group));
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  async #askExtra(extra: UserInfo['extra']): Promise<StatusError | undefined> {
    const pairs = Object.entries(extra).flatMap(([key, values]) => values.map((value) => ({ key, value })));
    if (this.#mode.constraint !== undefined) {
      const problem = extraProblem(extra);
      if (problem !== undefined) return forbiddenRequest(this.#about('userextras', ''), problem);
      if (pairs.length >= MANY && (await this.#ask(this.#about('userextras', '*', '*'))) === undefined)
        return undefined;
    }
    for (const { key, value } of pairs) {
      const refusal = await this.#ask(this.#about('userextras', value, key));
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  async #ask(attributes: AuthorizationAttributes): Promise<StatusError | undefined> {
    const question = this.#mode.rewrite?.(attributes) ?? attributes;
    const decision = await this.#askForRight(this.#mode, question);
    return decision.allowed ? undefined : forbiddenRequest(question, decision.reason);
  }

  /** Checks users and groups in the core group, or in the group of a constrained mode. */
  #named(resource: string, name: string): AuthorizationAttributes {
    const about = this.#about(resource, name);
    return this.#mode.constraint === undefined ? { ...about, group: '' } : about;
  }

  #about(resource: string, name: string, subresource = ''): AuthorizationAttributes {
    const { constraint } = this.#mode;
    return {
      user: this.#request.user,
      verb: constraint === undefined ? 'impersonate' : `impersonate:${constraint}`,
      isResourceRequest: true,
      namespace: '',
      group: 'authentication.k8s.io',
      version: 'v1',
      resource,
      subresource,
      name,
      path: '',
    };
  }
}

function withStandardGroup(name: string, groups: readonly string[]): readonly string[] {
  if (name !== anonymousUser.name && groups.includes(ALL_UNAUTHENTICATED)) return groups;
  const standard = name === anonymousUser.name ? ALL_UNAUTHENTICATED : ALL_AUTHENTICATED;
  return groups.includes(standard) ? groups : [...groups, standard];
}

function isNameAlone({ uid, groups, extra }: UserInfo): boolean {
  return uid === '' && groups.length === 0 && Object.keys(extra).length === 0;
}

function nodeOf(userName: string): string | undefined {
  if (!userName.startsWith(NODE_PREFIX)) return undefined;
  const node = userName.slice(NODE_PREFIX.length);
  return nameIsDnsSubdomain(node, false).length === 0 ? node : undefined;
}

function isOnNode(requestor: UserInfo, node: string | undefined): boolean {
  const nodes = requestor.extra[NODE_KEY] ?? [];
  return (
    node !== undefined &&
    nodes.length === 1 &&
    nodes[0] === node &&
    parseServiceAccountUser(requestor.name) !== undefined
  );
}

/** The extra values that a constrained mode never allows. */
function extraProblem(extra: UserInfo['extra']): string | undefined {
  for (const [key, values] of Object.entries(extra)) {
    if (key === '') return 'impersonating the empty string key in extra is not allowed';
    const errors = validateDomainPrefixedPath(key, 'extra.key');
    if (errors.length > 0) return `impersonating an invalid key in extra is not allowed: ${formatFieldErrors(errors)}`;
    if (key !== key.toLowerCase()) return `impersonating a non-lowercase key in extra is not allowed: ${quoteGo(key)}`;
    if (values.length === 0) return 'impersonating empty values in extra is not allowed';
    if (values.includes('')) return 'impersonating the empty string value in extra is not allowed';
  }
  return undefined;
}
