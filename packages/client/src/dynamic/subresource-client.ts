import type { JsonObject } from '@binnacle/apimachinery/json';
import {
  type ServerSideApplyOptions,
  applyRequest,
  createRequest,
  type Encoding,
  exchange,
  getRequest,
  jsonEncoding,
  type Patch,
  type PatchOptions,
  patchRequest,
  type Target,
  updateRequest,
  type WriteOptions,
} from '../rest/index.js';
import type { SendOptions, Transport, TransportRequest } from '../transport/index.js';
import { splitOptions } from './split-options.js';

/** One subresource of the objects of a resource; which of the verbs there are, discovery says. */
export class SubresourceClient<T extends object> {
  readonly #transport: Transport;
  readonly #target: Target;
  readonly #encoding: Encoding;

  /** `target`: all but the name. */
  constructor(transport: Transport, target: Target, encoding: Encoding = jsonEncoding) {
    this.#transport = transport;
    this.#target = target;
    this.#encoding = encoding;
  }

  async get(name: string, options: SendOptions = {}): Promise<T> {
    return this.#send(getRequest(this.#of(name), {}, this.#encoding), options);
  }

  /** An eviction, a binding, a token request. */
  async create(name: string, body: T, options: WriteOptions & SendOptions = {}): Promise<T> {
    const [send, query] = splitOptions(options);
    return this.#send(createRequest(this.#of(name), body, query, this.#encoding), send);
  }

  async update(name: string, body: T, options: WriteOptions & SendOptions = {}): Promise<T> {
    const [send, query] = splitOptions(options);
    return this.#send(updateRequest(this.#of(name), body, query, this.#encoding), send);
  }

  async patch(name: string, patch: Patch, options: PatchOptions & SendOptions = {}): Promise<T> {
    const [send, query] = splitOptions(options);
    return this.#send(patchRequest(this.#of(name), patch, query, this.#encoding), send);
  }

  async apply(name: string, body: T, options: ServerSideApplyOptions & SendOptions): Promise<T> {
    const [send, query] = splitOptions(options);
    return this.#send(applyRequest(this.#of(name), body, query, this.#encoding), send);
  }

  #of(name: string): Target {
    return { ...this.#target, name };
  }

  async #send(request: TransportRequest, options: SendOptions): Promise<T> {
    return (await exchange(this.#transport, request, options, this.#encoding)) as JsonObject & T;
  }
}
