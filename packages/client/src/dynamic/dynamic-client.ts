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

  /** In all namespaces; see {@link ResourceClient.namespace}. */
  resource<T extends AnyObject = KubernetesObject>(resource: GroupVersionResource): ResourceClient<T> {
    const { group, version, resource: name } = resource;
    return new ResourceClient<T>(this.#transport, { group, version, resource: name });
  }

  /** The same, with the type of its objects. */
  typed<T extends TypedObject>({ group, version, plural }: ResourceType<T>): ResourceClient<T> {
    return new ResourceClient<T>(this.#transport, { group, version, resource: plural });
  }
}
