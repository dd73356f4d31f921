import type { Clock, Random } from '@binnacle/apimachinery/clock';
import type { Awaitable } from '@binnacle/apimachinery/work';
import type { AuthorizeExpression, AdmissionPlugin, NamespaceSource } from '../../admission/index.js';
import {
  mutatingWebhooks,
  validatingWebhooks,
  WebhookCalls,
  type WebhookConfiguration,
  type WebhookObserver,
  WebhookSource,
  type WebhookType,
} from '../../admissionwebhooks/index.js';
import type { ServerWebhooks } from '../server-webhooks.js';

/** All configurations of webhooks. The same configuration is the same object. */
export interface ConfiguredWebhooks {
  mutating(): Awaitable<readonly WebhookConfiguration[]>;
  validating(): Awaitable<readonly WebhookConfiguration[]>;
}

export interface WebhookPluginsOptions {
  readonly configured: ConfiguredWebhooks;
  readonly namespaces: NamespaceSource;
  readonly authorize: AuthorizeExpression;
  readonly clients: Pick<ServerWebhooks, 'mutating' | 'validating'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly observer: WebhookObserver;
}

/** The plugins that call webhooks. */
export interface WebhookPlugins {
  readonly mutating: AdmissionPlugin;
  readonly validating: AdmissionPlugin;
}

export function webhookPlugins(options: WebhookPluginsOptions): WebhookPlugins {
  const { configured, namespaces, clients, ...shared } = options;
  const sourceOf = (type: WebhookType, configurations: () => Awaitable<readonly WebhookConfiguration[]>) =>
    new WebhookSource(type, {
      ...shared,
      configurations,
      async namespaceLabels(name) {
        const namespace = await namespaces.namespace(name);
        return namespace === undefined ? undefined : (namespace.metadata.labels ?? {});
      },
    });
  const admit = new WebhookCalls('admit', { ...shared, clients: clients.mutating });
  const validate = new WebhookCalls('validating', { ...shared, clients: clients.validating });
  return {
    mutating: mutatingWebhooks(
      sourceOf('admit', () => configured.mutating()),
      admit,
    ),
    validating: validatingWebhooks(
      sourceOf('validating', () => configured.validating()),
      validate,
    ),
  };
}
