import type { JsonObject } from '@binnacle/apimachinery/json';
import type { GroupVersionResource, KubernetesObject } from '@binnacle/apimachinery/meta';
import {
  type ServerSideApplyOptions,
  applyRequest,
  createRequest,
  type DeleteOptions,
  decodeWatchEvent,
  deleteCollectionRequest,
  deleteRequest,
  type Encoding,
  exchange,
  formatOf,
  type GetOptions,
  getRequest,
  jsonEncoding,
  type ListOptions,
  listRequest,
  type Patch,
  type PatchOptions,
  patchRequest,
  type SelectOptions,
  statusErrorOf,
  type Target,
  updateRequest,
  type WatchEvent,
  type WatchOptions,
  type WriteOptions,
  watchRequest,
} from '../rest/index.js';
import { readBody, type SendOptions, type Transport, type TransportRequest } from '../transport/index.js';
import type { TokenRequest, TokenRequestSpec } from '../kinds/generated/authentication/v1.js';
import type { Scale } from '../kinds/generated/autoscaling/v1.js';
import type { ObjectList } from '../typed/index.js';
import { type AnyObject, readList } from './object-list.js';
import { splitOptions } from './split-options.js';
import { SubresourceClient } from './subresource-client.js';

/** How many objects a page has unless its reader says. Upstream: client-go `pager`. */
const PAGE_SIZE = 500;

/**
 * One resource, in one namespace or in all. Every call takes a `signal` and a `timeout` beside its own options, and rejects with the
 * `StatusError` of a refusal, or as the transport does.
 */
export class ResourceClient<T extends AnyObject = KubernetesObject> {
  readonly resource: GroupVersionResource;
  readonly #transport: Transport;
  readonly #namespace: string | undefined;
  readonly #encoding: Encoding;

  constructor(
    transport: Transport,
    resource: GroupVersionResource,
    namespace?: string,
    encoding: Encoding = jsonEncoding,
  ) {
    this.#transport = transport;
    this.resource = resource;
    this.#namespace = namespace;
    this.#encoding = encoding;
  }

  /** The same resource in this namespace alone. */
  namespace(namespace: string): ResourceClient<T> {
    return new ResourceClient<T>(this.#transport, this.resource, namespace, this.#encoding);
  }

  /** `status`, `scale`, `eviction`, `token` and so on; `U` is what goes in and comes out. */
  subresource<U extends object = T>(subresource: string): SubresourceClient<U> {
    return new SubresourceClient<U>(this.#transport, { ...this.#target(), subresource }, this.#encoding);
  }

  /** How many replicas there are to be, the same for all kinds that have them. */
  get scale(): SubresourceClient<Scale> {
    return this.subresource<Scale>('scale');
  }

  async get(name: string, options: GetOptions & SendOptions = {}): Promise<T> {
    const [send, query] = splitOptions(options);
    return this.#object(getRequest(this.#target(name), query, this.#encoding), send);
  }

  /** One page, which is everything unless `limit` says otherwise. */
  async list(options: ListOptions & SendOptions = {}): Promise<ObjectList<T>> {
    const [send, query] = splitOptions(options);
    return readList<T>(await this.#exchange(listRequest(this.#target(), query, this.#encoding), send));
  }

  /** Page after page, all of one version. */
  async *pages(options: ListOptions & SendOptions = {}): AsyncGenerator<ObjectList<T>, void, undefined> {
    let next: ListOptions & SendOptions = { limit: PAGE_SIZE, ...options };
    for (;;) {
      const page = await this.list(next);
      yield page;
      const { continue: token } = page.metadata;
      if (token === undefined || token === '') return;
      // The token holds the version, and the server wants no other beside it.
      const { resourceVersion: _, resourceVersionMatch: __, ...rest } = next;
      next = { ...rest, continue: token };
    }
  }

  /** Object after object, read by pages. */
  async *items(options: ListOptions & SendOptions = {}): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages(options)) yield* page.items;
  }

  /**
   * Changes from `resourceVersion` on, as they happen, until the server ends the watch. Without a version it begins with what there is, as
   * ADDED. The request is sent when the first event is asked for.
   */
  async *watch(options: WatchOptions & SendOptions = {}): AsyncGenerator<WatchEvent<T>, void, undefined> {
    const [send, query] = splitOptions(options);
    const request = watchRequest(this.#target(), query, this.#encoding);
    const response = await this.#transport.send(request, send);
    if (response.status !== 200) throw statusErrorOf(request, response, await readBody(response), this.#encoding);
    const format = formatOf(this.#encoding, response.headers['content-type']);
    for await (const frame of format.frames(response.body)) yield decodeWatchEvent<T>(frame, format);
  }

  async create(object: T, options: WriteOptions & SendOptions = {}): Promise<T> {
    const [send, query] = splitOptions(options);
    return this.#object(createRequest(this.#target(undefined, object), object, query, this.#encoding), send);
  }

  /** Replaces the object. Its `resourceVersion`, if it has one, must be the current one: else a conflict. */
  async update(object: T, options: WriteOptions & SendOptions = {}): Promise<T> {
    const [send, query] = splitOptions(options);
    return this.#object(updateRequest(this.#target(nameOf(object), object), object, query, this.#encoding), send);
  }

  /** The same for `status` alone; all else of the object is left as it is. */
  async updateStatus(object: T, options: WriteOptions & SendOptions = {}): Promise<T> {
    const [send, query] = splitOptions(options);
    const target = { ...this.#target(nameOf(object), object), subresource: 'status' };
    return this.#object(updateRequest(target, object, query, this.#encoding), send);
  }

  async patchStatus(name: string, patch: Patch, options: PatchOptions & SendOptions = {}): Promise<T> {
    return this.subresource('status').patch(name, patch, options);
  }

  /** Server-side apply of `status` alone. */
  async applyStatus(object: T, options: ServerSideApplyOptions & SendOptions): Promise<T> {
    const [send, query] = splitOptions(options);
    const target = { ...this.#target(nameOf(object), object), subresource: 'status' };
    return this.#object(applyRequest(target, object, query, this.#encoding), send);
  }

  async patch(name: string, patch: Patch, options: PatchOptions & SendOptions = {}): Promise<T> {
    const [send, query] = splitOptions(options);
    return this.#object(patchRequest(this.#target(name), patch, query, this.#encoding), send);
  }

  /** Server-side apply: sets the fields that are given, takes back those that this manager gave before, creates what is not there. */
  async apply(object: T, options: ServerSideApplyOptions & SendOptions): Promise<T> {
    const [send, query] = splitOptions(options);
    return this.#object(applyRequest(this.#target(nameOf(object), object), object, query, this.#encoding), send);
  }

  /** Resolves to the object if it is still there, waiting for finalizers or a grace period, else to what the server says of the end. */
  async delete(name: string, options: DeleteOptions & SendOptions = {}): Promise<JsonObject> {
    const [send, query] = splitOptions(options);
    return this.#exchange(deleteRequest(this.#target(name), query, this.#encoding), send);
  }

  /** Deletes what is selected; without a selector, everything in the namespace, or everywhere. */
  async deleteCollection(select: SelectOptions = {}, options: DeleteOptions & SendOptions = {}): Promise<JsonObject> {
    const [send, query] = splitOptions(options);
    return this.#exchange(deleteCollectionRequest(this.#target(), query, select, this.#encoding), send);
  }

  /** Deletes a pod if the disruption budgets over it allow that; while they do not, the answer is TooManyRequests. */
  async evict(name: string, options: DeleteOptions & SendOptions = {}): Promise<void> {
    const [send, { dryRun, ...query }] = splitOptions(options);
    const deleteOptions = { apiVersion: 'v1', kind: 'DeleteOptions', ...query };
    const metadata = { name, namespace: this.#namespace };
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata, deleteOptions };
    await this.subresource<object>('eviction').create(name, eviction, { dryRun, ...send });
  }

  /** A token by which a program is this service account; `status.token` of what it resolves to. */
  async requestToken(name: string, spec: TokenRequestSpec = {}, options: SendOptions = {}): Promise<TokenRequest> {
    const request: TokenRequest = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: {},
      spec,
    };
    return this.subresource<TokenRequest>('token').create(name, request, options);
  }

  #target(name?: string, object?: T): Target {
    return { resource: this.resource, namespace: this.#namespace ?? object?.metadata?.namespace, name };
  }

  /** What the server says its object is; its type is the caller's promise. */
  async #object(request: TransportRequest, send: SendOptions): Promise<T> {
    return (await this.#exchange(request, send)) as JsonObject & T;
  }

  async #exchange(request: TransportRequest, send: SendOptions): Promise<JsonObject> {
    return exchange(this.#transport, request, send, this.#encoding);
  }
}

function nameOf(object: AnyObject): string {
  const name = object.metadata?.name;
  if (name === undefined || name === '') throw new TypeError('the object has no metadata.name');
  return name;
}
