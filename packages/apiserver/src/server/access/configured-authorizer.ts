import type { Clock } from '@binnacle/apimachinery/clock';
import {
  type AbacPolicy,
  abacAuthorizer,
  allowAllAuthorizer,
  type Authorizer,
  denyAllAuthorizer,
  nodeAuthorizer,
  rbacAuthorizer,
  unionAuthorizer,
} from '../../authorization/index.js';
import type { AuthorizationMetrics } from '../../metrics/index.js';
import { accessWebhookAuthorizer, type AuthorizerRule } from '../../reviewwebhooks/index.js';
import type { RemoteService } from '../../webhooks/index.js';
import type { RemoteServices } from '../remote-services.js';
import type { StoredSources } from '../sources/index.js';

/** Upstream: `--authorization-mode Node,RBAC`, as kubeadm sets it. */
export const DEFAULT_AUTHORIZERS: readonly AuthorizerRule[] = [
  { type: 'Node', name: 'node' },
  { type: 'RBAC', name: 'rbac' },
];

export interface AuthorizerParts extends Pick<StoredSources, 'roles' | 'nodes'> {
  readonly policies: readonly AbacPolicy[];
  readonly remoteServices: RemoteServices;
  readonly clock: Clock;
  readonly metrics: AuthorizationMetrics;
}

/** Asks the configured authorizers in order. `rules`: the same array as long as they do not change. */
export function configuredAuthorizer(rules: () => readonly AuthorizerRule[], parts: AuthorizerParts): Authorizer {
  let known: readonly AuthorizerRule[] | undefined;
  let authorizer: Authorizer = denyAllAuthorizer;
  let opened: RemoteService[] = [];
  return {
    authorize: (attributes) => {
      const newest = rules();
      if (newest !== known) {
        known = newest;
        for (const service of opened) parts.remoteServices.release(service);
        opened = [];
        authorizer = unionAuthorizer(
          newest.map((rule) => parts.metrics.observed(rule, authorizerOf(rule, parts, opened))),
        );
      }
      return authorizer.authorize(attributes);
    },
  };
}

/** Adds the service that the authorizer asks, if any, to `opened`. */
function authorizerOf(
  rule: AuthorizerRule,
  { roles, nodes, policies, remoteServices, clock, metrics }: AuthorizerParts,
  opened: RemoteService[],
): Authorizer {
  switch (rule.type) {
    case 'Node':
      return nodeAuthorizer(nodes);
    case 'RBAC':
      return rbacAuthorizer(roles);
    case 'ABAC':
      return abacAuthorizer(policies);
    case 'AlwaysAllow':
      return allowAllAuthorizer;
    case 'AlwaysDeny':
      return denyAllAuthorizer;
    case 'Webhook': {
      const service = remoteServices.open(rule.webhook.service);
      opened.push(service);
      return accessWebhookAuthorizer(rule.webhook, service, clock, metrics.webhook(rule.name));
    }
  }
}
