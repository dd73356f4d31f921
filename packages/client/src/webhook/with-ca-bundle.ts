import type {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '../kinds/generated/admissionregistration/v1.js';
import type { CustomResourceDefinition } from '../kinds/generated/apiextensions/v1.js';

/** The object with this `caBundle` (base64) in all client configurations; undefined if it has it already. */
export type WithCaBundle<T> = (object: T, caBundle: string) => T | undefined;

export function configurationWithCaBundle<T extends MutatingWebhookConfiguration | ValidatingWebhookConfiguration>(
  configuration: T,
  caBundle: string,
): T | undefined {
  const { webhooks = [] } = configuration;
  if (webhooks.every(({ clientConfig }) => clientConfig.caBundle === caBundle)) return undefined;
  return {
    ...configuration,
    webhooks: webhooks.map((each) => ({ ...each, clientConfig: { ...each.clientConfig, caBundle } })),
  };
}

/** A definition without a conversion webhook has no client configuration. */
export function definitionWithCaBundle(
  definition: CustomResourceDefinition,
  caBundle: string,
): CustomResourceDefinition | undefined {
  const { conversion } = definition.spec;
  const { webhook } = conversion ?? {};
  if (conversion === undefined || webhook?.clientConfig === undefined) return undefined;
  if (webhook.clientConfig.caBundle === caBundle) return undefined;
  const clientConfig = { ...webhook.clientConfig, caBundle };
  return {
    ...definition,
    spec: { ...definition.spec, conversion: { ...conversion, webhook: { ...webhook, clientConfig } } },
  };
}
