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
import type { AuthorizationAttributes, Authorizer } from '../authorization/index.js';
import { forbiddenRequest } from './authorization.js';

const NODE_PREFIX = 'system:node:';
const NODE_KEY = 'authentication.kubernetes.io/node-name';
const NODE_KEYS = 'authentication.kubernetes.io/associated-node-keys';
/** From so many on, one question for all of them is worth asking first. */
const MANY = 4;

/** One of the rights under which a user may act as another. */
export interface ImpersonationMode {
  /** Of the constrained ones, which ask for a right to this request, too. */
  readonly constraint: string | undefined;
  /** Whether the mode is for such users at all. */
  applies(wanted: UserInfo, requestor: UserInfo): boolean;
  /** The question as this mode puts it to the authorizer. */
  readonly rewrite?: (attributes: AuthorizationAttributes) => AuthorizationAttributes;
}

/** In the order in which they are tried: the narrowest right first. */
export const impersonationModes: readonly ImpersonationMode[] = [
  {
    constraint: 'associated-node',
    applies: (wanted, requestor) => isNameAlone(wanted) && isOnNode(requestor, nodeOf(wanted.name)),
    // The right is to whatever node the account runs on, so that the question holds for all of them.
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
 * Asks for every part of the wanted user; answers who the requestor then is, or the first refusal.
 * Upstream: apiserver `pkg/endpoints/filters/impersonation`.
 */
export class ImpersonationCheck {
  readonly #authorizer: Authorizer;
  readonly #mode: ImpersonationMode;
  /** The request that is to be made as somebody else. */
  readonly #request: AuthorizationAttributes;

  constructor(authorizer: Authorizer, mode: ImpersonationMode, request: AuthorizationAttributes) {
    this.#authorizer = authorizer;
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

  /** Groups that come with the name. */
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
    const decision = await this.#authorizer.authorize(question);
    return decision.allowed ? undefined : forbiddenRequest(question, decision.reason);
  }

  /** About users and groups: once of the core group, in the constrained modes of their own. */
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

/** What a constrained mode does not let through, whoever asks. */
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
