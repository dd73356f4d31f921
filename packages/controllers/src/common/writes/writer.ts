import { deepEqual, type JsonObject } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import { StatusError } from '@binnacle/apimachinery/status';
import { isControlledBy } from '@binnacle/client/controller';
import type { DynamicClient, ResourceClient } from '@binnacle/client/dynamic';
import {
  type DeleteOptions,
  isConflict,
  isForbidden,
  isNotFound,
  type ServerSideApplyOptions,
} from '@binnacle/client/rest';
import type { ResourceType, TypedObject } from '@binnacle/client/typed';
import { unlessGone } from '../unless-gone.js';
import type { Doubt, Expectations, ObservedCache } from './expectations.js';

export interface WriterOptions {
  readonly client: DynamicClient;
  /** The object that is reconciled. */
  readonly owner: TypedObject;
  readonly expectations: Expectations;
  /** The cache of a kind, if the loop reads the kind from a cache. */
  readonly cacheOf: (resource: ResourceType) => ObservedCache | undefined;
  readonly signal: AbortSignal;
}

/**
 * Writes on behalf of one owner. The next reconcile of the owner waits until the caches of the loop show these writes. If a write gets no answer, the
 * next reconcile first looks at the server.
 */
export class Writer {
  readonly #options: WriterOptions;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Reads the latest state from the server. */
  async read<T extends TypedObject>(resource: ResourceType<T>, { metadata }: TypedObject): Promise<T> {
    return this.#client(resource, metadata).get(metadata.name ?? '', this.#send());
  }

  async create<T extends TypedObject>(resource: ResourceType<T>, object: T): Promise<T> {
    return this.#written(resource, this.#client(resource, object.metadata).create(object, this.#send()));
  }

  /** Rejects with a conflict if the object has changed since the cache saw it. */
  async update<T extends TypedObject>(resource: ResourceType<T>, object: T): Promise<T> {
    return this.#written(resource, this.#client(resource, object.metadata).update(object, this.#send()));
  }

  /** Rejects with a conflict if the object has changed since the cache saw it. */
  async updateStatus<T extends TypedObject>(resource: ResourceType<T>, object: T): Promise<T> {
    return this.#written(resource, this.#client(resource, object.metadata).status.update(object, this.#send()));
  }

  /** {@link updateStatus}, if the status differs. Resolves to the object after the write, or to the same object without one. */
  async changeStatus<T extends TypedObject & { readonly status?: object }>(
    resource: ResourceType<T>,
    object: T,
    status: NonNullable<T['status']>,
  ): Promise<T> {
    if (deepEqual(asJson(object.status ?? {}), asJson(status))) return object;
    return this.updateStatus(resource, { ...object, status });
  }

  /** Updates a subresource that has objects of the resource. Rejects with a conflict if the object has changed since the cache saw it. */
  async updateSubresource<T extends TypedObject>(resource: ResourceType<T>, name: string, object: T): Promise<T> {
    const { metadata } = object;
    return this.#written(resource, this.#client(resource, metadata).subresource(name).update(object, this.#send()));
  }

  /** A strategic merge patch. A `metadata.uid` in the patch is a precondition. */
  async patch<T extends TypedObject>(resource: ResourceType<T>, { metadata }: T, body: JsonObject): Promise<T> {
    const client = this.#client(resource, metadata);
    return this.#written(resource, client.patch(metadata.name ?? '', { type: 'strategic', body }, this.#send()));
  }

  /** A strategic merge patch of the status. */
  async patchStatus<T extends TypedObject>(resource: ResourceType<T>, { metadata }: T, body: JsonObject): Promise<T> {
    const { status } = this.#client(resource, metadata);
    return this.#written(resource, status.patch(metadata.name ?? '', { type: 'strategic', body }, this.#send()));
  }

  /** Server-side apply of the status. */
  async applyStatus<T extends TypedObject>(
    resource: ResourceType<T>,
    object: T,
    options: ServerSideApplyOptions,
  ): Promise<T> {
    const { status } = this.#client(resource, object.metadata);
    return this.#written(resource, status.apply(object, { ...options, ...this.#send() }));
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
      if (!isAnswered(error)) this.#options.expectations.doubt(this.#options.owner, resource, object);
      isGone = isNotFound(error) || (isConflict(error) && (await this.#isGone(resource, object)));
      if (!isGone) throw error;
    }
    this.#deleted(resource, object);
    return !isGone;
  }

  /** Expects what the server has of a kind in doubt. */
  async confirm(resource: ResourceType, { deleted }: Doubt): Promise<void> {
    const { owner, expectations } = this.#options;
    const { uid } = owner.metadata;
    const present = new Set<string | undefined>();
    try {
      for await (const object of this.#client(resource, owner.metadata).items(this.#send())) {
        present.add(object.metadata.uid);
        if (isControlledBy(object, owner) || object.metadata.uid === uid) this.#wrote(resource, object);
      }
    } catch (error) {
      // Without the right to look, the loop goes on as after a write that had no effect.
      if (!isForbidden(error)) throw error;
      return expectations.settle(owner, resource);
    }
    for (const object of deleted) if (!present.has(object.metadata.uid)) this.#deleted(resource, object);
    expectations.settle(owner, resource);
  }

  /** A conflict can also be the refusal of a webhook. */
  async #isGone<T extends TypedObject>(resource: ResourceType<T>, object: T): Promise<boolean> {
    const live = await unlessGone(this.read(resource, object));
    return live === undefined || live.metadata.uid !== object.metadata.uid;
  }

  async #written<T extends TypedObject>(resource: ResourceType<T>, answer: Promise<T>): Promise<T> {
    try {
      return this.#wrote(resource, await answer);
    } catch (error) {
      if (!isAnswered(error)) this.#options.expectations.doubt(this.#options.owner, resource);
      throw error;
    }
  }

  #deleted(resource: ResourceType, object: TypedObject): void {
    const { owner, expectations, cacheOf } = this.#options;
    const cache = cacheOf(resource);
    if (cache !== undefined) expectations.expectDeletion(owner, cache, object);
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

  #send(): { readonly signal: AbortSignal } {
    return { signal: this.#options.signal };
  }
}

/** Whether the server has said that the request had no effect. An error of the server does not say so. */
function isAnswered(error: unknown): boolean {
  return error instanceof StatusError && error.code < 500;
}
