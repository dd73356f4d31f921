import { getOwn, isObject, type JsonObject } from '@binnacle/apimachinery/json';

/** Where webhooks are served. */
export interface LocalAddress {
  /** `https://host:port`. */
  readonly url: string;
  /** Base64. */
  readonly caBundle: string;
}

export interface WebhookManifests {
  readonly mutating: readonly JsonObject[];
  readonly validating: readonly JsonObject[];
  /** Those with a conversion webhook. */
  readonly definitions: readonly JsonObject[];
}

/**
 * The objects with webhooks among these documents, with all client configurations pointed at the address. A `url` keeps
 * its place, and gets the bundle.
 */
export function localWebhooks(documents: readonly Readonly<JsonObject>[], address: LocalAddress): WebhookManifests {
  const configurations = (kind: string) =>
    documents.filter(isOf('admissionregistration.k8s.io/v1', kind)).map((each) => localConfiguration(each, address));
  return {
    mutating: configurations('MutatingWebhookConfiguration'),
    validating: configurations('ValidatingWebhookConfiguration'),
    definitions: documents
      .filter(isOf('apiextensions.k8s.io/v1', 'CustomResourceDefinition'))
      .map((each) => localDefinition(each, address))
      .filter((each) => each !== undefined),
  };
}

const isOf = (apiVersion: string, kind: string) => (object: Readonly<JsonObject>) =>
  getOwn(object, 'apiVersion') === apiVersion && getOwn(object, 'kind') === kind;

function localConfiguration(configuration: Readonly<JsonObject>, address: LocalAddress): JsonObject {
  const webhooks = getOwn(configuration, 'webhooks');
  if (!Array.isArray(webhooks)) return configuration;
  return { ...configuration, webhooks: webhooks.map((each) => (isObject(each) ? local(each, address) : each)) };
}

/** Undefined: the definition has no conversion webhook. */
function localDefinition(definition: Readonly<JsonObject>, address: LocalAddress): JsonObject | undefined {
  const spec = getOwn(definition, 'spec');
  const conversion = isObject(spec) ? getOwn(spec, 'conversion') : undefined;
  const webhook = isObject(conversion) ? getOwn(conversion, 'webhook') : undefined;
  if (!isObject(spec) || !isObject(conversion) || !isObject(webhook)) return undefined;
  return { ...definition, spec: { ...spec, conversion: { ...conversion, webhook: local(webhook, address) } } };
}

/** `webhook` has a `clientConfig`. */
function local(webhook: JsonObject, { url, caBundle }: LocalAddress): JsonObject {
  const clientConfig = getOwn(webhook, 'clientConfig');
  if (!isObject(clientConfig)) return webhook;
  const { service, ...rest } = clientConfig;
  if (!isObject(service)) return { ...webhook, clientConfig: { ...rest, caBundle } };
  const path = getOwn(service, 'path');
  return { ...webhook, clientConfig: { ...rest, url: `${url}${typeof path === 'string' ? path : ''}`, caBundle } };
}
