import { formatGroupVersion, type GroupVersionKind } from '@binnacle/apimachinery/meta';
import { createRequest, type Encoding, type WriteOptions } from '../rest/index.js';
import type { SendOptions, Transport } from '../transport/index.js';
import { ObjectClient, type Scope, splitOptions } from './object-client.js';
import type { AnyObject } from './object-list.js';

/** An object to post, which may leave out what its subresource already implies. */
export type SubresourceBody<T> = Omit<T, 'apiVersion' | 'kind' | 'metadata'> & Partial<T>;

/** One subresource of the objects of a resource. Discovery says which of the verbs a server offers for it. */
export class SubresourceClient<T extends AnyObject> extends ObjectClient<T> {
  readonly #defaults: { readonly apiVersion?: string; readonly kind?: string };

  /** `kind` is the kind of the bodies of `create`, for bodies that do not state it. */
  constructor(transport: Transport, scope: Required<Scope>, encoding: Encoding, kind?: GroupVersionKind) {
    super(transport, scope, encoding);
    this.#defaults = kind === undefined ? {} : { apiVersion: formatGroupVersion(kind), kind: kind.kind };
  }

  /** Posts a body, such as an Eviction, a Binding or a TokenRequest, to the subresource of the object `name`. */
  async create(name: string, body: SubresourceBody<T>, options: WriteOptions & SendOptions = {}): Promise<T> {
    const [send, query] = splitOptions(options);
    const target = this.target(name, body);
    const metadata = { name, namespace: target.namespace, ...body.metadata };
    return this.object(createRequest(target, { ...this.#defaults, ...body, metadata }, query, this.encoding), send);
  }
}
