import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { unclassified } from '@binnacle/apimachinery/status';
import type { PutOperation, TxnRequest, TxnResult } from '@binnacle/kv';
import { type Conditions, writeUnder } from './conditions.js';
import { type EncodedObject, encodeObject } from './encode-object.js';
import { StorageError } from './errors.js';
import { withoutManagers } from './managers-limit.js';
import type { Outcome, Write } from './optimistic-update.js';
import type { StorageParts } from './storage-parts.js';
import type { StorageOperation } from './store-calls.js';
import { StoredObject } from './stored-object.js';
import { authorOf, type WriterIdentity } from './writer-identity.js';

/** Encodes objects and writes them with one compare-and-swap. {@link ObjectStorage} states the contract of each method. */
export class ObjectWrites {
  readonly #parts: StorageParts;

  constructor(parts: StorageParts) {
    this.#parts = parts;
  }

  async create(
    key: string,
    object: Readonly<KubernetesObject>,
    ttlSeconds?: number,
    writer?: WriterIdentity,
    conditions?: Conditions,
  ): Promise<StoredObject | undefined> {
    return this.#fitting(object, true, async (encoded) => {
      const request = requestOf(key, undefined, this.#put(encoded, ttlSeconds), writer);
      const result = await this.#txn('create', request, encoded, conditions);
      return result.succeeded ? this.#written(key, result, encoded) : undefined;
    });
  }

  async update(
    key: string,
    base: StoredObject | undefined,
    change: Write,
    writer: WriterIdentity | undefined,
  ): Promise<Outcome> {
    const { object, forDeletion = false, requiresManagers = false } = change;
    return this.#fitting<Outcome>(object, forDeletion || !requiresManagers, async (encoded) => {
      if (base?.isStoredAs(encoded.stored, encoded.canonical) === true) return { type: 'unchanged' };
      const put = this.#put(encoded, change.ttlSeconds);
      const operation: PutOperation = forDeletion ? { forDeletion, ...put } : put;
      const conditions = base === undefined ? change.conditions : undefined;
      const result = await this.#txn('update', requestOf(key, base, operation, writer), encoded, conditions);
      if (!result.succeeded) return this.#stale(result);
      return { type: 'changed', stored: this.#written(key, result, encoded) };
    });
  }

  /**
   * Writes an object that is too large without its managed fields, if that may be. Otherwise rejects with a StatusError.
   * Upstream: apiserver `isTooLargeError` in `pkg/endpoints/handlers`.
   */
  async #fitting<T>(
    object: Readonly<KubernetesObject>,
    mayLoseManagers: boolean,
    write: (encoded: EncodedObject) => Promise<T>,
  ): Promise<T> {
    const { codec } = this.#parts;
    const smaller = mayLoseManagers ? withoutManagers(object) : undefined;
    try {
      return await write(await encodeObject(codec, object));
    } catch (error) {
      if (smaller === undefined || !isTooLarge(error)) throw refusalOf(error);
    }
    try {
      return await write(await encodeObject(codec, smaller));
    } catch (error) {
      throw refusalOf(error);
    }
  }

  async delete(key: string, base: StoredObject, writer: WriterIdentity | undefined): Promise<Outcome> {
    const call = this.#parts.kv.txn(requestOf(key, base, { type: 'delete' }, writer));
    const result = await this.#parts.calls.observed('delete', call);
    if (!result.succeeded) return this.#stale(result);
    return { type: 'changed', stored: base.withRevision(result.revision) };
  }

  /** Deletes the object in this revision, whatever its bytes are. Returns false if it has another revision by now. */
  async deleteUnread(key: string, expectedRevision: number, writer: WriterIdentity | undefined): Promise<boolean> {
    const { kv, calls } = this.#parts;
    const operation = { type: 'delete', ignoreReadError: true } as const;
    const call = kv.txn({ key, expectedRevision, operation, withoutPrevious: true, ...authored(writer) });
    try {
      return (await calls.observed('delete', call)).succeeded;
    } catch (error) {
      // Its newest revision cannot be read either.
      if (error instanceof StorageError && error.code === 'damaged') return false;
      throw error;
    }
  }

  async #txn(
    name: StorageOperation,
    request: TxnRequest,
    encoded: EncodedObject,
    conditions: Conditions | undefined,
  ): Promise<TxnResult> {
    const { wrapper, kv, calls } = this.#parts;
    wrapper.remember(request.key, encoded);
    let isStored = false;
    try {
      const result = await writeUnder(conditions, (required) =>
        calls.observed(name, kv.txn(required === undefined ? request : { conditions: required, ...request })),
      );
      isStored = result.succeeded;
      return result;
    } finally {
      if (!isStored) wrapper.forget(request.key);
    }
  }

  async #stale({ current }: TxnResult & { succeeded: false }): Promise<Outcome> {
    const [newest] = await this.#parts.wrapper.wrapAll(current === undefined ? [] : [current]);
    return { type: 'stale', newest };
  }

  #written(key: string, { revision }: TxnResult, { stored, canonical }: EncodedObject): StoredObject {
    return new StoredObject({ codec: this.#parts.codec, key, revision, value: canonical, isCanonical: true, stored });
  }

  /** Stores canonical bytes with the codec's fingerprint, so that later processes trust them. */
  #put({ stored, canonical }: EncodedObject, ttlSeconds: number | undefined): PutOperation {
    const { fingerprint } = this.#parts.codec;
    return {
      type: 'put',
      value: stored,
      ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
      ...(stored === canonical && fingerprint !== undefined ? { tag: fingerprint } : {}),
    };
  }
}

function isTooLarge(error: unknown): error is StorageError {
  return error instanceof StorageError && error.code === 'too-large';
}

/** Upstream passes on etcd's words for an object that is too large. */
function refusalOf(error: unknown): unknown {
  return isTooLarge(error) ? unclassified(error.message) : error;
}

function requestOf(
  key: string,
  base: StoredObject | undefined,
  operation: TxnRequest['operation'],
  writer: WriterIdentity | undefined,
): TxnRequest {
  return { key, expectedRevision: base?.revision ?? 0, operation, withoutPrevious: true, ...authored(writer) };
}

function authored(writer: WriterIdentity | undefined): Pick<TxnRequest, 'author'> {
  return writer === undefined ? {} : { author: authorOf(writer) };
}
