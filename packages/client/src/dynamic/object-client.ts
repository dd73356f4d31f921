import type { JsonObject } from '@binnacle/apimachinery/json';
import type { GroupVersionResource } from '@binnacle/apimachinery/meta';
import {
  applyRequest,
  type Encoding,
  exchange,
  type GetOptions,
  getRequest,
  type Patch,
  type PatchOptions,
  patchRequest,
  type ServerSideApplyOptions,
  type Target,
  updateRequest,
  type WriteOptions,
} from '../rest/index.js';
import type { SendOptions, Transport, TransportRequest } from '../transport/index.js';
import type { AnyObject } from './object-list.js';

/** What a client reads and writes: a resource or one subresource of it, in one namespace or in all. */
export interface Scope {
  readonly resource: GroupVersionResource;
  readonly namespace: string | undefined;
  readonly subresource?: string;
}

/**
 * The verbs that a resource and its subresources share. A verb that sends a whole object takes the name from its metadata; the others
 * take the name first. Every call accepts a `signal` and a `timeout` with its own options, and rejects with the `StatusError` that the
 * server sent or with the transport's error.
 */
export class ObjectClient<T extends AnyObject> {
  protected readonly transport: Transport;
  protected readonly scope: Scope;
  protected readonly encoding: Encoding;

  constructor(transport: Transport, scope: Scope, encoding: Encoding) {
    this.transport = transport;
    this.scope = scope;
    this.encoding = encoding;
  }

  async get(name: string, options: GetOptions & SendOptions = {}): Promise<T> {
    const [send, query] = splitOptions(options);
    return this.object(getRequest(this.target(name), query, this.encoding), send);
  }

  /** Replaces the object. Rejects with a conflict if `metadata.resourceVersion` is set and no longer current. */
  async update(object: T, options: WriteOptions & SendOptions = {}): Promise<T> {
    const [send, query] = splitOptions(options);
    return this.object(updateRequest(this.target(nameOf(object), object), object, query, this.encoding), send);
  }

  async patch(name: string, patch: Patch, options: PatchOptions & SendOptions = {}): Promise<T> {
    const [send, query] = splitOptions(options);
    return this.object(patchRequest(this.target(name), patch, query, this.encoding), send);
  }

  /** Server-side apply: sets the given fields and removes those this manager no longer gives. A resource also creates the object. */
  async apply(object: T, options: ServerSideApplyOptions & SendOptions): Promise<T> {
    const [send, query] = splitOptions(options);
    return this.object(applyRequest(this.target(nameOf(object), object), object, query, this.encoding), send);
  }

  protected target(name?: string, object?: AnyObject): Target {
    return { ...this.scope, namespace: this.scope.namespace ?? object?.metadata?.namespace, name };
  }

  /** The type is the caller's promise; nothing checks the answer against it. */
  protected async object(request: TransportRequest, send: SendOptions): Promise<T> {
    return (await this.exchange(request, send)) as JsonObject & T;
  }

  protected async exchange(request: TransportRequest, send: SendOptions): Promise<JsonObject> {
    return exchange(this.transport, request, send, this.encoding);
  }
}

function nameOf(object: AnyObject): string {
  const name = object.metadata?.name;
  if (name === undefined || name === '') throw new TypeError('the object has no metadata.name');
  return name;
}

/** Separates the options of the transport from those that the server gets. */
export function splitOptions<O extends SendOptions>(options: O): [SendOptions, Omit<O, keyof SendOptions>] {
  const { signal, timeout, ...rest } = options;
  return [{ signal, timeout }, rest];
}
