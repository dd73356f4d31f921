import type { Clock } from '@binnacle/apimachinery/clock';
import type { Awaitable } from '@binnacle/apimachinery/work';
import type {
  AdmissionAttributes,
  AuthorizeExpression,
  NamespaceLabels,
  RequestObjects,
  VersionedResource,
} from '../admission/index.js';
import {
  type ConfiguredWebhook,
  configuredWebhooks,
  isExempt,
  type WebhookConfiguration,
} from './configured-webhook.js';
import { conditionsUnknown, evaluateConditions } from './match-conditions.js';
import type { WebhookObserver, WebhookType } from './observer.js';

export interface WebhookSourceOptions {
  /** All configurations of one kind. An unchanged one is the same object at each call. */
  readonly configurations: () => Awaitable<readonly WebhookConfiguration[]>;
  readonly namespaceLabels: NamespaceLabels;
  readonly authorize: AuthorizeExpression;
  readonly clock: Clock;
  readonly observer?: WebhookObserver | undefined;
}

/** Finds the webhooks of one type that a request is sent to. Upstream: apiserver `plugin/webhook/generic`. */
export class WebhookSource {
  readonly #options: WebhookSourceOptions;
  readonly #type: WebhookType;

  constructor(type: WebhookType, options: WebhookSourceOptions) {
    this.#type = type;
    this.#options = options;
  }

  /** All webhooks, in the order of calls. */
  async webhooks(): Promise<readonly ConfiguredWebhook[]> {
    const configurations = await this.#options.configurations();
    return configurations.length === 0 ? [] : configuredWebhooks(configurations);
  }

  /** Whether a webhook may be called for the request, depending on its object. */
  async maySee(attributes: AdmissionAttributes): Promise<boolean> {
    if (isExempt(attributes)) return false;
    return (await this.webhooks()).some(({ matcher }) => matcher.mayMatch(attributes));
  }

  /**
   * The resource and kind in which a webhook sees the request; undefined if it does not. Rejects with a StatusError if
   * that cannot be decided.
   */
  async match(
    webhook: ConfiguredWebhook,
    attributes: AdmissionAttributes,
    objects: RequestObjects,
  ): Promise<VersionedResource | undefined> {
    const pending = webhook.matcher.match(attributes, this.#options.namespaceLabels);
    const seen = pending instanceof Promise ? await pending : pending;
    if (seen === undefined || (webhook.webhook.matchConditions ?? []).length === 0) return seen;
    return (await this.#conditionsHold(webhook, attributes, seen, objects)) ? seen : undefined;
  }

  async #conditionsHold(
    webhook: ConfiguredWebhook,
    attributes: AdmissionAttributes,
    seen: VersionedResource,
    objects: RequestObjects,
  ): Promise<boolean> {
    const { clock, observer, authorize } = this.#options;
    const start = clock.monotonic();
    const { matches, errors } = await evaluateConditions(webhook, attributes, seen, objects, authorize);
    const call = { name: webhook.name, type: this.#type, operation: attributes.operation };
    observer?.conditions(call, (clock.monotonic() - start) / 1000, matches, errors.length);
    if (errors.length > 0 && !webhook.ignoresFailures) throw conditionsUnknown(attributes, errors);
    return matches;
  }
}
