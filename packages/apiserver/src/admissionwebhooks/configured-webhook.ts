import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from '@binnacle/api/types/admissionregistration-v1';
import { type AdmissionAttributes, RequestMatcher } from '../admission/index.js';

/** A webhook of either kind. */
export type AnyWebhook = ValidatingWebhook | MutatingWebhook;

/** A webhook with everything that is computed once from its configuration. */
export interface ConfiguredWebhook {
  /** Unique among all webhooks of its kind: configurations may repeat names. */
  readonly id: string;
  readonly configuration: string;
  readonly name: string;
  readonly webhook: AnyWebhook;
  readonly matcher: RequestMatcher;
  /** Whether a failed call lets the request pass. */
  readonly ignoresFailures: boolean;
  /** Whether it is called again when the object has changed since. */
  readonly isReinvoked: boolean;
}

export type WebhookConfiguration = Readonly<ValidatingWebhookConfiguration | MutatingWebhookConfiguration>;

const compiled = new WeakMap<WebhookConfiguration, readonly ConfiguredWebhook[]>();

/** All webhooks, by the name of their configuration and then in its order. Each configuration is compiled once. */
export function configuredWebhooks(configurations: readonly WebhookConfiguration[]): readonly ConfiguredWebhook[] {
  return configurations.toSorted(byName).flatMap((configuration) => {
    let webhooks = compiled.get(configuration);
    if (webhooks === undefined) {
      webhooks = compile(configuration);
      compiled.set(configuration, webhooks);
    }
    return webhooks;
  });
}

function byName(a: WebhookConfiguration, b: WebhookConfiguration): number {
  return nameOf(a) < nameOf(b) ? -1 : 1;
}

function nameOf({ metadata }: WebhookConfiguration): string {
  return metadata?.name ?? '';
}

function compile(configuration: WebhookConfiguration): ConfiguredWebhook[] {
  const seen = new Map<string, number>();
  const webhooks: readonly AnyWebhook[] = configuration.webhooks ?? [];
  return webhooks.map((webhook) => {
    const { name, rules, namespaceSelector, objectSelector, matchPolicy, failurePolicy } = webhook;
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    const configurationName = nameOf(configuration);
    return {
      id: `${configurationName}/${name}/${String(count)}`,
      configuration: configurationName,
      name,
      webhook,
      matcher: new RequestMatcher({
        rules: rules ?? [],
        namespaceSelector,
        objectSelector,
        matchPolicy,
        withoutRules: 'none',
      }),
      ignoresFailures: failurePolicy === 'Ignore',
      isReinvoked: 'reinvocationPolicy' in webhook && webhook.reinvocationPolicy === 'IfNeeded',
    };
  });
}

const EXEMPT_GROUP = 'admissionregistration.k8s.io';
const EXEMPT_KINDS: ReadonlySet<string> = new Set([
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
]);

/** A broken webhook must not keep anyone from repairing its configuration. */
export function isExempt({ kind }: Pick<AdmissionAttributes, 'kind'>): boolean {
  return kind.group === EXEMPT_GROUP && EXEMPT_KINDS.has(kind.kind);
}
