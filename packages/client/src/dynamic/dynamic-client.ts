import type { GroupVersionResource, KubernetesObject } from '@binnacle/apimachinery/meta';
import { type Encoding, jsonEncoding } from '../rest/index.js';
import type { Transport } from '../transport/index.js';
import type { ResourceType, TypedObject } from '../typed/index.js';
import type { AnyObject } from './object-list.js';
import { ResourceClient } from './resource-client.js';

export interface DynamicClientOptions {
  /** What is spoken about kinds of a `ResourceType`; about all else it is JSON. Default: JSON. */
  readonly encoding?: Encoding;
}

/** Clients of all resources of a server. */
export class DynamicClient {
  readonly #transport: Transport;
  readonly #encoding: Encoding;

  constructor(transport: Transport, { encoding = jsonEncoding }: DynamicClientOptions = {}) {
    this.#transport = transport;
    this.#encoding = encoding;
  }

  /** In all namespaces; see {@link ResourceClient.namespace}. A `ResourceType` brings the type of its objects with it. */
  resource<T extends TypedObject>(resource: ResourceType<T>): ResourceClient<T>;
  resource<T extends AnyObject = KubernetesObject>(resource: GroupVersionResource | ResourceType): ResourceClient<T>;
  resource<T extends AnyObject>(resource: GroupVersionResource | ResourceType): ResourceClient<T> {
    const encoding = 'kind' in resource ? this.#encoding.ofKind(resource) : jsonEncoding;
    return new ResourceClient<T>(this.#transport, resourceOf(resource), undefined, encoding);
  }
}

/** Where it is served, and nothing else of it. */
export function resourceOf(resource: GroupVersionResource | ResourceType): GroupVersionResource {
  const { group, version } = resource;
  return { group, version, resource: 'plural' in resource ? resource.plural : resource.resource };
}
