import type { JsonObject } from '@binnacle/apimachinery/json';
import { StatusError } from '@binnacle/apimachinery/status';
import { isControlledBy } from '@binnacle/client/controller';
import type { DynamicClient, ResourceClient } from '@binnacle/client/dynamic';
import {
  type DeleteOptions,
  isConflict,
  isNotFound,
  isTimeout,
  type ServerSideApplyOptions,
} from '@binnacle/client/rest';
import type { ResourceType, TypedObject } from '@binnacle/client/typed';
import type { Expectations, ObservedCache } from './expectations.js';

export interface WriterOptions {
  readonly client: DynamicClient;
  /** The object that is reconciled. */
  readonly owner: TypedObject;
  readonly expectations: Expectations;
  /** The cache of a kind, if the loop reads the kind from a cache. */
  readonly cacheOf: (resource: ResourceType) => ObservedCache | undefined;
  readonly signal: AbortSignal;
}

/** Writes on behalf of one owner. The next reconcile of the owner waits until the caches of the loop show these writes. */
export class Writer {
  readonly #options: WriterOptions;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Reads the latest state from the server. */
  async read<T extends TypedObject>(resource: ResourceType<T>, { metadata }: TypedObject): Promise<T> {
    return this.#client(resource, metadata).get(metadata.name ?? '', this.#send());
  }

  /** If no answer comes, the next reconcile looks at the server for objects that the owner has. */
  async create<T extends TypedObject>(resource: ResourceType<T>, object: T): Promise<T> {
    try {
      return this.#wrote(resource, await this.#client(resource, object.metadata).create(object, this.#send()));
    } catch (error) {
      if (!isAnswered(error)) this.#options.expectations.doubt(this.#options.owner, resource);
      throw error;
    }
  }

  /** Rejects with a conflict if the object has changed since the cache saw it. */
  async update<T extends TypedObject>(resource: ResourceType<T>, object: T): Promise<T> {
    return this.#wrote(resource, await this.#client(resource, object.metadata).update(object, this.#send()));
  }

  /** Rejects with a conflict if the object has changed since the cache saw it. */
  async updateStatus<T extends TypedObject>(resource: ResourceType<T>, object: T): Promise<T> {
    return this.#wrote(resource, await this.#client(resource, object.metadata).status.update(object, this.#send()));
  }

  /** A strategic merge patch. A `metadata.uid` in the patch is a precondition. */
  async patch<T extends TypedObject>(resource: ResourceType<T>, { metadata }: T, body: JsonObject): Promise<T> {
    const client = this.#client(resource, metadata);
    return this.#wrote(resource, await client.patch(metadata.name ?? '', { type: 'strategic', body }, this.#send()));
  }

  /** A strategic merge patch of the status. */
  async patchStatus<T extends TypedObject>(resource: ResourceType<T>, { metadata }: T, body: JsonObject): Promise<T> {
    const { status } = this.#client(resource, metadata);
    return this.#wrote(resource, await status.patch(metadata.name ?? '', { type: 'strategic', body }, this.#send()));
  }

  /** Server-side apply of the status. */
  async applyStatus<T extends TypedObject>(
    resource: ResourceType<T>,
    object: T,
    options: ServerSideApplyOptions,
  ): Promise<T> {
    const { status } = this.#client(resource, object.metadata);
    return this.#wrote(resource, await status.apply(object, { ...options, ...this.#send() }));
  }

  /** Deletes this object, and none of the same name that replaced it. Resolves to false if it is gone. */
  async delete<T extends TypedObject>(
    resource: ResourceType<T>,
    object: T,
    options: DeleteOptions = {},
  ): Promise<boolean> {
    const { name = '', uid = '' } = object.metadata;
    const preconditions = { uid, ...options.preconditions };
    let isGone = false;
    try {
      await this.#client(resource, object.metadata).delete(name, { ...options, preconditions, ...this.#send() });
    } catch (error) {
      if (!isNotFound(error) && !(isConflict(error) && preconditions.resourceVersion === undefined)) throw error;
      isGone = true;
    }
    const { owner, expectations, cacheOf } = this.#options;
    const cache = cacheOf(resource);
    if (cache !== undefined) expectations.expectDeletion(owner, cache, object);
    return !isGone;
  }

  #wrote<T extends TypedObject>(resource: ResourceType<T>, written: T): T {
    const { owner, expectations, cacheOf } = this.#options;
    const cache = cacheOf(resource);
    if (cache !== undefined) expectations.expectWrite(owner, cache, written);
    return written;
  }

  #client<T extends TypedObject>(resource: ResourceType<T>, { namespace }: TypedObject['metadata']): ResourceClient<T> {
    const all = this.#options.client.resource(resource);
    return namespace === undefined ? all : all.namespace(namespace);
  }

  /** Notes the objects of a kind that the owner controls, as the server has them. */
  async confirm(resource: ResourceType): Promise<void> {
    const { owner, expectations } = this.#options;
    for await (const object of this.#client(resource, owner.metadata).items(this.#send())) {
      if (isControlledBy(object, owner)) this.#wrote(resource, object);
    }
    expectations.settle(owner, resource);
  }

  #send(): { readonly signal: AbortSignal } {
    return { signal: this.#options.signal };
  }
}

/** Whether the server has said that the request had no effect. */
function isAnswered(error: unknown): boolean {
  return error instanceof StatusError && !isTimeout(error);
}
