import type { JsonObject } from '@binnacle/apimachinery/json';
import type { GroupVersionKind, GroupVersionResource, KubernetesObject } from '@binnacle/apimachinery/meta';
import type { TokenRequest } from '../kinds/generated/authentication/v1.js';
import type { Scale } from '../kinds/generated/autoscaling/v1.js';
import type { Eviction } from '../kinds/generated/policy/v1.js';
import {
  createRequest,
  type DeleteOptions,
  decodeWatchEvent,
  deleteCollectionRequest,
  deleteRequest,
  type Encoding,
  formatOf,
  jsonEncoding,
  type ListOptions,
  listRequest,
  type SelectOptions,
  statusErrorOf,
  type WatchEvent,
  type WatchOptions,
  type WriteOptions,
  watchRequest,
} from '../rest/index.js';
import { readBody, type SendOptions, type Transport } from '../transport/index.js';
import type { ObjectList } from '../typed/index.js';
import { ObjectClient, splitOptions } from './object-client.js';
import { type AnyObject, readList } from './object-list.js';
import { SubresourceClient } from './subresource-client.js';

/** Objects per page unless the caller sets `limit`. Upstream: client-go `pager`. */
const PAGE_SIZE = 500;

const EVICTION: GroupVersionKind = { group: 'policy', version: 'v1', kind: 'Eviction' };
const TOKEN_REQUEST: GroupVersionKind = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' };

/** One resource, in one namespace or in all: the verbs of {@link ObjectClient}, and those that only a resource has. */
export class ResourceClient<T extends AnyObject = KubernetesObject> extends ObjectClient<T> {
  readonly resource: GroupVersionResource;

  constructor(
    transport: Transport,
    resource: GroupVersionResource,
    namespace?: string,
    encoding: Encoding = jsonEncoding,
  ) {
    super(transport, { resource, namespace }, encoding);
    this.resource = resource;
  }

  /** The same resource in this namespace only. */
  namespace(namespace: string): ResourceClient<T> {
    return new ResourceClient<T>(this.transport, this.resource, namespace, this.encoding);
  }

  /** Reads and writes `status`; the server ignores changes to the rest of the object. */
  get status(): SubresourceClient<T> {
    return this.subresource('status');
  }

  /** Desired and current replicas, with one type for all kinds that scale. */
  get scale(): SubresourceClient<Scale> {
    return this.subresource<Scale>('scale');
  }

  /** `create` evicts a pod. It rejects with TooManyRequests while a disruption budget forbids the eviction. */
  get eviction(): SubresourceClient<Eviction> {
    return this.subresource<Eviction>('eviction', EVICTION);
  }

  /** `create` issues a token of a service account and resolves to the request with `status.token`. */
  get token(): SubresourceClient<TokenRequest> {
    return this.subresource<TokenRequest>('token', TOKEN_REQUEST);
  }

  /** Any subresource by its name. `U` is the type of its objects, `kind` the kind of bodies of `create` that do not state theirs. */
  subresource<U extends AnyObject = T>(subresource: string, kind?: GroupVersionKind): SubresourceClient<U> {
    return new SubresourceClient<U>(this.transport, { ...this.scope, subresource }, this.encoding, kind);
  }

  /** One page: all objects, unless `limit` is set. */
  async list(options: ListOptions & SendOptions = {}): Promise<ObjectList<T>> {
    const [send, query] = splitOptions(options);
    return readList<T>(await this.exchange(listRequest(this.target(), query, this.encoding), send));
  }

  /** All pages, at the revision of the first. */
  async *pages(options: ListOptions & SendOptions = {}): AsyncGenerator<ObjectList<T>, void, undefined> {
    let next: ListOptions & SendOptions = { limit: PAGE_SIZE, ...options };
    for (;;) {
      const page = await this.list(next);
      yield page;
      const { continue: token } = page.metadata;
      if (token === undefined || token === '') return;
      // The token holds the revision; the server refuses a resourceVersion beside it.
      const { resourceVersion: _, resourceVersionMatch: __, ...rest } = next;
      next = { ...rest, continue: token };
    }
  }

  /** All objects, read page by page. */
  async *items(options: ListOptions & SendOptions = {}): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages(options)) yield* page.items;
  }

  /**
   * Yields changes after `resourceVersion` until the server ends the watch. Without a `resourceVersion` it first yields existing objects as
   * ADDED. It sends the request when the caller asks for the first event.
   */
  async *watch(options: WatchOptions & SendOptions = {}): AsyncGenerator<WatchEvent<T>, void, undefined> {
    const [send, query] = splitOptions(options);
    const request = watchRequest(this.target(), query, this.encoding);
    const response = await this.transport.send(request, send);
    if (response.status !== 200) throw statusErrorOf(request, response, await readBody(response), this.encoding);
    const format = formatOf(this.encoding, response.headers['content-type']);
    for await (const frame of format.frames(response.body)) yield decodeWatchEvent<T>(frame, format);
  }

  async create(object: T, options: WriteOptions & SendOptions = {}): Promise<T> {
    const [send, query] = splitOptions(options);
    return this.object(createRequest(this.target(undefined, object), object, query, this.encoding), send);
  }

  /** Resolves to the object while finalizers or a grace period keep it, otherwise to the server's Status. */
  async delete(name: string, options: DeleteOptions & SendOptions = {}): Promise<JsonObject> {
    const [send, query] = splitOptions(options);
    return this.exchange(deleteRequest(this.target(name), query, this.encoding), send);
  }

  /** Deletes the selected objects; without a selector, all of the namespace or of the cluster. */
  async deleteCollection(options: SelectOptions & DeleteOptions & SendOptions = {}): Promise<JsonObject> {
    const [send, query] = splitOptions(options);
    return this.exchange(deleteCollectionRequest(this.target(), query, this.encoding), send);
  }
}
