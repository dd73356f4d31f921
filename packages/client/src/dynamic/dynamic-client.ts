import type { GroupVersionResource, KubernetesObject } from '@binnacle/apimachinery/meta';
import type { Transport } from '../transport/index.js';
import type { ResourceType, TypedObject } from '../typed/index.js';
import type { AnyObject } from './object-list.js';
import { ResourceClient } from './resource-client.js';

/** Clients of all resources of a server. */
export class DynamicClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** In all namespaces; see {@link ResourceClient.namespace}. A `ResourceType` brings the type of its objects with it. */
  resource<T extends TypedObject>(resource: ResourceType<T>): ResourceClient<T>;
  resource<T extends AnyObject = KubernetesObject>(resource: GroupVersionResource): ResourceClient<T>;
  resource<T extends AnyObject>(resource: GroupVersionResource | ResourceType): ResourceClient<T> {
    return new ResourceClient<T>(this.#transport, resourceOf(resource));
  }
}

/** Where it is served, and nothing else of it. */
export function resourceOf(resource: GroupVersionResource | ResourceType): GroupVersionResource {
  const { group, version } = resource;
  return { group, version, resource: 'plural' in resource ? resource.plural : resource.resource };
}
