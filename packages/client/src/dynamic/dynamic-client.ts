import type { GroupVersionResource, KubernetesObject } from '@binnacle/apimachinery/meta';
import { type Encoding, jsonEncoding } from '../rest/index.js';
import type { Transport } from '../transport/index.js';
import type { ResourceType, TypedObject } from '../typed/index.js';
import type { AnyObject } from './object-list.js';
import { ResourceClient } from './resource-client.js';

export interface DynamicClientOptions {
  /** The encoding of requests. It says what resources without a kind use. Default: JSON. */
  readonly encoding?: Encoding;
}

/** Makes a client for each resource of a server. */
export class DynamicClient {
  readonly #transport: Transport;
  readonly #encoding: Encoding;

  constructor(transport: Transport, { encoding = jsonEncoding }: DynamicClientOptions = {}) {
    this.#transport = transport;
    this.#encoding = encoding;
  }

  /** A client of all namespaces; narrow it by {@link ResourceClient.namespace}. A `ResourceType` carries the type of its objects. */
  resource<T extends TypedObject>(resource: ResourceType<T>): ResourceClient<T>;
  resource<T extends AnyObject = KubernetesObject>(resource: GroupVersionResource | ResourceType): ResourceClient<T>;
  resource<T extends AnyObject>(resource: GroupVersionResource | ResourceType): ResourceClient<T> {
    const encoding = this.#encoding.ofKind('kind' in resource ? resource : undefined);
    return new ResourceClient<T>(this.#transport, resourceOf(resource), undefined, encoding);
  }
}

/** The group, version and plural name, without any other field. */
export function resourceOf(resource: GroupVersionResource | ResourceType): GroupVersionResource {
  const { group, version } = resource;
  return { group, version, resource: 'plural' in resource ? resource.plural : resource.resource };
}
