import type { Clock, Random } from '@binnacle/apimachinery/clock';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import {
  alreadyExists,
  badRequest,
  conflict,
  forbidden,
  generatedNameTaken,
  invalid,
  notFound,
  StatusError,
} from '@binnacle/apimachinery/status';
import { checkPathSegment, generateName } from '../names/index.js';
import { ANY, unsafeError } from '../request/index.js';
import { inSlices } from '../slices/index.js';
import {
  type Change,
  type Conditions,
  isStorableKey,
  type ObjectStorage,
  StorageError,
  StoredObject,
} from '../storage/index.js';
import { checkDeletePreconditions, type DeletionPlan, planDeletion } from './deletion.js';
import type { Encode } from './object-metadata.js';
import type { ResourceReader } from './reader.js';
import { objectKey, type ResourceInfo } from './resource-info.js';
import type { Allocator, DeleteOptions, UpdateRequest, WriteGuard, WriteScope } from './scope.js';
import type { Strategy } from './strategy.js';
import { copied, type PreparedUpdate, WriteSteps } from './write-steps.js';

/**
 * How many generated names may collide before the client gets an error. Upstream: `maxNameGenerationCreateAttempts`.
 */
const NAME_ATTEMPTS = 8;
const UID = 'metadata.uid';

/**
 * How often a create is tried while its namespace or definition keeps changing. kube-apiserver answers a patch that loses so
 * many races with 409 too, after six attempts.
 */
const CONDITION_ATTEMPTS = 10;

export interface ResourceStoreOptions {
  readonly info: ResourceInfo;
  readonly storage: ObjectStorage;
  readonly reader: ResourceReader;
  readonly strategy: Strategy;
  readonly allocator?: Allocator | undefined;
  readonly guard?: WriteGuard | undefined;
  readonly clock: Clock;
  /** Chooses generated names and UIDs. */
  readonly random: Random;
}

export interface UpdateResult {
  readonly stored: StoredObject;
  readonly created: boolean;
}

export interface DeleteResult {
  readonly stored: StoredObject;
  /** Whether the object is deleted, or only marked. */
  readonly gone: boolean;
}

/**
 * The write path of every resource: {@link WriteSteps} prepare an object, and the storage's optimistic loop stores it.
 * All objects are in the storage version. Upstream: apiserver `pkg/registry/generic/registry/store.go`.
 */
export class ResourceStore {
  readonly info: ResourceInfo;
  readonly reader: ResourceReader;
  readonly strategy: Strategy;
  readonly #storage: ObjectStorage;
  readonly #allocator: Allocator | undefined;
  readonly #encode: Encode;
  readonly #steps: WriteSteps;
  readonly #clock: Clock;
  readonly #random: Random;

  constructor(options: ResourceStoreOptions) {
    const { info, storage, reader, strategy, allocator, guard, clock, random } = options;
    this.info = info;
    this.reader = reader;
    this.strategy = strategy;
    this.#storage = storage;
    this.#allocator = allocator;
    this.#clock = clock;
    this.#random = random;
    this.#encode = (object) => inSlices(storage.codec.encodeInSteps(object));
    this.#steps = new WriteSteps({ info, strategy, allocator, guard, clock, random, encode: this.#encode });
  }

  /** Stores a new object and takes ownership of it. A dry run returns the object without a resourceVersion. */
  async create(scope: WriteScope, object: KubernetesObject): Promise<StoredObject> {
    this.#steps.place(scope, object);
    await this.strategy.ready?.();
    await this.#steps.admit(scope, '', object);
    const { name = '', generateName: prefix = '' } = object.metadata;
    if (name !== '' || prefix === '') return this.#createOnce(scope, object);
    for (let attempt = 1; ; attempt++) {
      const candidate = attempt < NAME_ATTEMPTS ? await copied(object) : object;
      candidate.metadata.name = generateName(prefix, this.#random);
      try {
        return await this.#createOnce(scope, candidate);
      } catch (error) {
        const taken = error instanceof StatusError && error.reason === 'AlreadyExists';
        if (!taken || attempt === NAME_ATTEMPTS) throw error;
      }
    }
  }

  async update(scope: WriteScope, request: UpdateRequest): Promise<UpdateResult> {
    const key = this.#keyToWrite(scope, request.name);
    await (request.strategy ?? this.strategy).ready?.();
    const suggestion = await this.reader.find(scope.namespace, request.name, ANY);
    const decide = async (current: StoredObject | undefined) => {
      const prepared = await this.#steps.update(scope, request, current);
      return Object.assign(this.#changeTo(scope, request, prepared), prepared);
    };
    const { change, base, stored } = await this.#storage.update(key, suggestion, decide, scope.writer);
    const { object, created, gone } = change;
    if (scope.dryRun) {
      await change.claims.release();
      return { stored: await this.#preview(key, object, base?.revision ?? 0), created };
    }
    await change.claims.commit();
    if (gone) {
      await this.#allocator?.release(object);
      return { stored: await this.#preview(key, object, base?.revision ?? 0), created };
    }
    if (stored === undefined) throw notFound(this.info.resource, request.name);
    return { stored, created };
  }

  async delete(scope: WriteScope, name: string, options: DeleteOptions): Promise<DeleteResult> {
    const reason = this.strategy.deletionRefusal?.(name);
    if (reason !== undefined) throw forbidden(this.info.resource, name, reason);
    const key = this.#key(scope, name);
    const suggestion = await this.reader.find(scope.namespace, name, ANY);
    const decide = async (current: StoredObject | undefined) => {
      if (current === undefined) throw notFound(this.info.resource, name);
      const old = await inSlices(current.decodeInSteps());
      checkDeletePreconditions(this.info, this.strategy, old, options);
      await scope.admission.validateDelete(old);
      // The plan changes an object of its own.
      const plan = planDeletion(this.strategy, await copied(old), options, this.#clock.now());
      return { plan, old, ...this.#changeOf(scope, plan) };
    };
    const { change, base, stored } = await this.#storage.update(key, suggestion, decide, scope.writer);
    if (base === undefined || stored === undefined) throw notFound(this.info.resource, name);
    const { plan, old } = change;
    const gone = plan.type === 'delete' || plan.type === 'mark-and-delete';
    if (scope.dryRun) {
      return { stored: 'object' in plan ? await this.#preview(key, plan.object, base.revision) : base, gone };
    }
    if (!gone) return { stored, gone };
    if (plan.type === 'delete') {
      await this.#allocator?.release(old);
      return { stored, gone };
    }
    const last = await this.#finishDeletion(scope, key, stored);
    await this.#allocator?.release(last.decode());
    return { stored: last, gone };
  }

  /**
   * Deletes an object that no one can read, whatever its finalizers are, and without admission. What it claimed, such as a cluster
   * IP, stays claimed until the server starts again. Throws 422 if the object can be read, or there is none.
   */
  async deleteUnreadable(scope: WriteScope, name: string): Promise<void> {
    if (await this.#storage.deleteUnreadable(this.#key(scope, name), scope.writer)) return;
    const { group, resource } = this.info.resource;
    const why = 'is exclusively used to delete corrupt object(s), try again by removing this option';
    throw invalid({ group, kind: resource }, name, [unsafeError(why)]);
  }

  #changeTo(
    scope: WriteScope,
    { requiresManagers }: UpdateRequest,
    { object, created, gone, forDeletion }: PreparedUpdate,
  ): Change {
    if (scope.dryRun) return { type: 'nothing' };
    if (gone) return { type: 'delete' };
    const write = { requiresManagers, ...this.#write(object, forDeletion) };
    return created ? { conditions: this.#conditionsOf(scope, object), ...write } : write;
  }

  #changeOf(scope: WriteScope, plan: DeletionPlan): Change {
    if (plan.type === 'pending' || scope.dryRun) return { type: 'nothing' };
    return plan.type === 'delete' ? { type: 'delete' } : this.#write(plan.object, true);
  }

  /** Deletes an object that was just marked. Keeps an object that has since been re-created under the same name. */
  async #finishDeletion(scope: WriteScope, key: string, marked: StoredObject): Promise<StoredObject> {
    const uid = marked.field(UID);
    const decide = (current: StoredObject | undefined): Change => ({
      type: current?.field(UID) === uid ? 'delete' : 'nothing',
    });
    const { changed, stored = marked } = await this.#storage.update(key, marked, decide, scope.writer);
    return changed ? stored : marked;
  }

  async #createOnce(scope: WriteScope, object: KubernetesObject): Promise<StoredObject> {
    const claims = await this.#steps.create(scope, object);
    try {
      const { name = '' } = object.metadata;
      const key = this.#keyToWrite(scope, name);
      if (scope.dryRun) {
        if ((await this.reader.find(scope.namespace, name)) !== undefined) throw await this.#taken(scope, object);
        await claims.release();
        return await this.#preview(key, object, 0);
      }
      const ttl = this.strategy.ttlSeconds?.(object);
      const conditions = this.#conditionsOf(scope, object);
      const stored = await this.#storage.create(key, object, ttl, scope.writer, conditions);
      if (stored === undefined) throw await this.#taken(scope, object);
      await claims.commit();
      return stored;
    } catch (error) {
      await claims.release();
      throw error;
    }
  }

  /** The conditions under which a new object is stored. */
  #conditionsOf({ admission }: WriteScope, object: Readonly<KubernetesObject>): Conditions | undefined {
    if (admission.createConditions === undefined) return undefined;
    return (failedAttempts) => {
      if (failedAttempts === CONDITION_ATTEMPTS) {
        const why = 'its namespace or its definition keeps changing; please try again';
        throw conflict(this.info.resource, object.metadata.name ?? '', why);
      }
      return admission.createConditions?.(object, failedAttempts > 0) ?? [];
    };
  }

  async #taken(scope: WriteScope, { metadata }: KubernetesObject): Promise<StatusError> {
    const { name = '', generateName: prefix = '' } = metadata;
    const error =
      prefix === '' ? alreadyExists(this.info.resource, name) : generatedNameTaken(this.info.resource, name);
    if (!(await this.#isBeingDeleted(scope, name))) return error;
    return new StatusError({ ...error.status, message: `object is being deleted: ${error.message}` });
  }

  async #isBeingDeleted(scope: WriteScope, name: string): Promise<boolean> {
    try {
      const existing = await this.reader.find(scope.namespace, name);
      return existing?.decode().metadata.deletionTimestamp !== undefined;
    } catch (error) {
      // An object that no one can read exists all the same.
      if (error instanceof StorageError && error.code === 'damaged') return false;
      throw error;
    }
  }

  #write(object: KubernetesObject, forDeletion: boolean): Extract<Change, { type: 'write' }> {
    return { type: 'write', object, ttlSeconds: this.strategy.ttlSeconds?.(object), forDeletion };
  }

  /** What the write would have stored; revision 0 shows no resourceVersion. */
  async #preview(key: string, object: KubernetesObject, revision: number): Promise<StoredObject> {
    const value = await this.#encode(object);
    return new StoredObject({ codec: this.#storage.codec, key, revision, value, isCanonical: true });
  }

  #keyToWrite(scope: WriteScope, name: string): string {
    const key = this.#key(scope, name);
    if (!isStorableKey(key)) throw badRequest('the name is longer than the store can hold');
    return key;
  }

  #key(scope: WriteScope, name: string): string {
    checkPathSegment(name);
    return objectKey(this.info, scope.namespace, name);
  }
}
