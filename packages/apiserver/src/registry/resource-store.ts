import { randomUUID } from 'node:crypto';
import { differInTimeAlone } from '@binnacle/apimachinery/managedfields';
import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { deepCopy } from '@binnacle/apimachinery/json';
import {
  alreadyExists,
  badRequest,
  conflict,
  type FieldError,
  forbidden,
  generatedNameTaken,
  invalid,
  invalidValue,
  notFound,
  OPTIMISTIC_LOCK_MESSAGE,
  StatusError,
  unclassified,
} from '@binnacle/apimachinery/status';
import { formatTime } from '@binnacle/apimachinery/time';
import { WorkBudget } from '@binnacle/apimachinery/work';
import { validateObjectMeta, validateObjectMetaUpdate } from '@binnacle/apimachinery/validation';
import { type Change, type ObjectStorage, StoredObject } from '../storage/index.js';
import { checkDeletePreconditions, completesDeletion, planDeletion } from './deletion.js';
import { checkPathSegment, generateName } from '../names/index.js';
import type { ResourceReader } from './reader.js';
import { objectKey, type ResourceInfo } from './resource-info.js';
import type {
  AdmissionChain,
  Allocator,
  Claim,
  DeleteOptions,
  Preconditions,
  WriteGuard,
  WriteScope,
} from './scope.js';
import { ANY, parseResourceVersion } from '../request/index.js';
import { inSlices, pause } from '../slices/index.js';
import { preconditionFailed } from './precondition.js';
import type { Strategy, StrategyContext, Validation } from './strategy.js';

/**
 * How many generated names may collide before the client gets an error. Upstream: `maxNameGenerationCreateAttempts`.
 */
const NAME_ATTEMPTS = 8;

export interface ResourceStoreOptions {
  readonly info: ResourceInfo;
  readonly storage: ObjectStorage;
  readonly reader: ResourceReader;
  readonly strategy: Strategy;
  readonly allocator?: Allocator;
  readonly guard?: WriteGuard;
  /** Milliseconds. */
  readonly now: () => number;
}

export interface UpdateRequest {
  readonly name: string;
  /** Returns the new object, made from its own copy of the current one (undefined = none). */
  readonly transform: (current: KubernetesObject | undefined) => KubernetesObject | Promise<KubernetesObject>;
  readonly preconditions?: Preconditions;
  /** Replaces the resource's strategy, for a subresource. */
  readonly strategy?: Strategy;
  /** Create an absent object whatever the strategy says, for server-side apply. */
  readonly createIfAbsent?: boolean;
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
 * The write path of every resource: system metadata, strategy, validation, admission, and the optimistic loop, in that
 * one order. All objects are in the storage version. Upstream: apiserver `pkg/registry/generic/registry/store.go`.
 */
export class ResourceStore {
  readonly info: ResourceInfo;
  readonly reader: ResourceReader;
  readonly strategy: Strategy;
  readonly #storage: ObjectStorage;
  readonly #allocator: Allocator | undefined;
  readonly #guard: WriteGuard | undefined;
  readonly #now: () => number;

  constructor(options: ResourceStoreOptions) {
    this.info = options.info;
    this.reader = options.reader;
    this.strategy = options.strategy;
    this.#storage = options.storage;
    this.#allocator = options.allocator;
    this.#guard = options.guard;
    this.#now = options.now;
  }

  /** Stores a new object and takes ownership of it. A dry run returns the object without a resourceVersion. */
  async create(scope: WriteScope, object: KubernetesObject, admission: AdmissionChain): Promise<StoredObject> {
    this.#ensureNamespace(scope, object);
    await this.strategy.ready?.();
    await admission.admitCreate(object);
    await pause();
    await this.#guard?.check({ scope, name: '', object, old: undefined });
    await pause();
    const { name = '', generateName: prefix = '' } = object.metadata;
    if (name !== '' || prefix === '') return this.#createOnce(scope, object, admission);
    for (let attempt = 1; ; attempt++) {
      const candidate = attempt < NAME_ATTEMPTS ? (deepCopy(asJson(object)) as unknown as KubernetesObject) : object;
      candidate.metadata.name = generateName(prefix);
      try {
        return await this.#createOnce(scope, candidate, admission);
      } catch (error) {
        const taken = error instanceof StatusError && error.reason === 'AlreadyExists';
        if (!taken || attempt === NAME_ATTEMPTS) throw error;
      }
    }
  }

  async update(scope: WriteScope, request: UpdateRequest, admission: AdmissionChain): Promise<UpdateResult> {
    const key = this.#key(scope, request.name);
    await (request.strategy ?? this.strategy).ready?.();
    const suggestion = await this.reader.find(scope.namespace, request.name, ANY);
    let claim: Claim | undefined;
    let outcome: { readonly object: KubernetesObject; readonly created: boolean; readonly gone: boolean } | undefined;
    let base: StoredObject | undefined;
    const release = async () => {
      const abandoned = claim;
      claim = undefined;
      await abandoned?.rollback();
    };
    try {
      const result = await this.#storage.update(key, suggestion, async (current): Promise<Change> => {
        await release();
        base = current;
        const prepared = await this.#prepareUpdate(scope, request, key, current, admission);
        claim = prepared.claim;
        outcome = prepared;
        if (scope.dryRun) return { type: 'nothing' };
        return prepared.gone ? { type: 'delete' } : this.#write(prepared.object);
      });
      if (outcome === undefined) throw notFound(this.info.resource, request.name);
      // The write has happened: the claim is kept, whatever fails later.
      const kept = claim;
      if (scope.dryRun) await release();
      claim = undefined;
      if (scope.dryRun || outcome.gone) {
        if (!scope.dryRun) await kept?.commit();
        if (outcome.gone && !scope.dryRun) await this.#allocator?.release(outcome.object);
        return { stored: this.#preview(key, outcome.object, base?.revision ?? 0), created: outcome.created };
      }
      if (result === undefined) throw notFound(this.info.resource, request.name);
      await kept?.commit();
      return { stored: result.stored, created: outcome.created };
    } catch (error) {
      await release();
      throw error;
    }
  }

  async delete(
    scope: WriteScope,
    name: string,
    options: DeleteOptions,
    admission: AdmissionChain,
  ): Promise<DeleteResult> {
    const reason = this.strategy.deletionRefusal?.(name);
    if (reason !== undefined) throw forbidden(this.info.resource, name, reason);
    const key = this.#key(scope, name);
    const decided: { next: 'keep' | 'delete'; object: KubernetesObject | undefined } = {
      next: 'delete',
      object: undefined,
    };
    let base = await this.reader.find(scope.namespace, name);
    const marked = await this.#storage.update(key, base, async (current): Promise<Change> => {
      if (current === undefined) throw notFound(this.info.resource, name);
      base = current;
      checkDeletePreconditions(this.info, this.strategy, current.decode(), options);
      await admission.validateDelete(current.decode());
      const plan = planDeletion(this.strategy, current.decode(), options, this.#now());
      decided.next = plan.type === 'mark' || plan.type === 'pending' ? 'keep' : 'delete';
      decided.object = 'object' in plan ? plan.object : undefined;
      if (plan.type === 'pending' || scope.dryRun) return { type: 'nothing' };
      return plan.type === 'delete' ? { type: 'delete' } : this.#write(plan.object);
    });
    if (marked === undefined || base === undefined) throw notFound(this.info.resource, name);
    if (scope.dryRun) {
      const stored = decided.object === undefined ? base : this.#preview(key, decided.object, base.revision);
      return { stored, gone: decided.next === 'delete' };
    }
    if (decided.next === 'keep') return { stored: marked.stored, gone: false };
    const stored = decided.object === undefined ? marked.stored : await this.#finishDeletion(key, marked.stored);
    await this.#allocator?.release(stored.decode());
    return { stored, gone: true };
  }

  /** Deletes an object that was just marked. Keeps an object that has since been re-created under the same name. */
  async #finishDeletion(key: string, marked: StoredObject): Promise<StoredObject> {
    const { uid } = marked.decode().metadata;
    const result = await this.#storage.update(key, marked, (current) => ({
      type: current?.decode().metadata.uid === uid ? 'delete' : 'nothing',
    }));
    return result?.changed === true ? result.stored : marked;
  }

  async #createOnce(scope: WriteScope, object: KubernetesObject, admission: AdmissionChain): Promise<StoredObject> {
    const claim = await this.#prepareCreate(scope, object, admission);
    let stored: StoredObject | undefined;
    try {
      const name = object.metadata.name ?? '';
      const key = this.#key(scope, name);
      if (scope.dryRun) {
        if ((await this.reader.find(scope.namespace, name)) !== undefined) throw await this.#taken(scope, object);
        stored = this.#preview(key, object, 0);
      } else {
        stored = await this.#storage.create(key, object, this.strategy.ttlSeconds?.(object));
        if (stored === undefined) throw await this.#taken(scope, object);
      }
    } catch (error) {
      await claim?.rollback();
      throw error;
    }
    await (scope.dryRun ? claim?.rollback() : claim?.commit());
    return stored;
  }

  /** Prepares the client's object for storage. Throws 422 if it is invalid, and then holds no claim. */
  async #prepareCreate(
    scope: WriteScope,
    object: KubernetesObject,
    admission: AdmissionChain,
  ): Promise<Claim | undefined> {
    const metadata = object.metadata;
    // Upstream refuses this in its storage, which a dry run does not reach.
    if (!scope.dryRun && namesVersion(metadata.resourceVersion)) {
      throw unclassified('resourceVersion should not be set on objects to be created');
    }
    delete metadata.resourceVersion;
    delete metadata.selfLink;
    delete metadata.deletionTimestamp;
    delete metadata.deletionGracePeriodSeconds;
    metadata.uid = randomUUID();
    metadata.creationTimestamp = formatTime(this.#now());
    this.#ensureNamespace(scope, object);
    const claim = await this.#allocator?.claimForCreate(object, scope);
    try {
      this.strategy.prepareForCreate?.(object, this.#context(scope));
      await pause();
      const metaErrors = this.#validateMeta(object);
      await pause();
      const errors = await settled(this.strategy.validate?.(object, scope.budget ?? new WorkBudget()));
      this.#refuse(object, metaErrors.concat(errors));
      await pause();
      for (const text of this.strategy.warnings?.(object, undefined) ?? []) scope.warn(text);
      this.strategy.canonicalize?.(object);
      await pause();
      await admission.validateCreate(object);
      return claim;
    } catch (error) {
      await claim?.rollback();
      throw error;
    }
  }

  async #prepareUpdate(
    scope: WriteScope,
    request: UpdateRequest,
    key: string,
    current: StoredObject | undefined,
    admission: AdmissionChain,
  ): Promise<{ object: KubernetesObject; claim: Claim | undefined; created: boolean; gone: boolean }> {
    const strategy = request.strategy ?? this.strategy;
    if (current === undefined) {
      if (strategy.allowCreateOnUpdate !== true && request.createIfAbsent !== true) {
        throw notFound(this.info.resource, request.name);
      }
      this.#checkPreconditions(key, request, '', '0');
      const object = await request.transform(undefined);
      delete object.metadata.resourceVersion;
      await admission.admitCreate(object);
      await this.#guard?.check({ scope, name: request.name, object, old: undefined });
      const claim = await this.#prepareCreate(scope, object, admission);
      return { object, claim, created: true, gone: false };
    }
    await pause();
    const old = current.decode();
    this.#checkPreconditions(key, request, old.metadata.uid ?? '', String(current.revision));
    await pause();
    const own = current.decode();
    await pause();
    const object = await request.transform(own);
    await pause();
    await admission.admitUpdate(object, old);
    await pause();
    await this.#guard?.check({ scope, name: request.name, object, old });
    await pause();
    this.#checkVersion(strategy, request.name, object, current.revision);
    this.#ensureNamespace(scope, object);
    const claim =
      request.strategy === undefined ? await this.#allocator?.claimForUpdate(object, old, scope) : undefined;
    try {
      this.#carryOver(object, old, strategy, scope);
      await pause();
      const metaErrors = validateObjectMetaUpdate(object.metadata, old.metadata);
      // Upstream validates metadata a second time with these kinds, and clients see both sets of errors.
      const allMetaErrors = this.#validateMeta(object, true).concat(metaErrors, metaErrors);
      await pause();
      const errors = await settled(strategy.validateUpdate?.(object, old, scope.budget ?? new WorkBudget()));
      this.#refuse(object, allMetaErrors.concat(errors));
      await pause();
      for (const text of strategy.warnings?.(object, old) ?? []) scope.warn(text);
      strategy.canonicalize?.(object);
      await pause();
      this.#keepTimes(object, old, current);
      await pause();
      await admission.validateUpdate(object, old);
    } catch (error) {
      await claim?.rollback();
      throw error;
    }
    return { object, claim, created: false, gone: completesDeletion(this.strategy, object, old) };
  }

  /**
   * An update that only changes timestamps in managed fields changes nothing. Upstream: apiserver
   * `IgnoreManagedFieldsTimestampsTransformer`.
   */
  #keepTimes(object: KubernetesObject, old: Readonly<KubernetesObject>, current: StoredObject): void {
    const { managedFields } = old.metadata;
    if (managedFields === undefined || !differInTimeAlone(managedFields, object.metadata.managedFields)) return;
    const unchanged = { ...object, metadata: { ...object.metadata, managedFields } };
    const bytes = this.#storage.codec.encode(unchanged);
    if (Buffer.compare(bytes, current.canonical) === 0) object.metadata.managedFields = managedFields;
  }

  #checkVersion(strategy: Strategy, name: string, object: KubernetesObject, current: number): void {
    const version = parseResourceVersion(object.metadata.resourceVersion ?? '');
    if (typeof version === 'string') throw unclassified(version);
    if (version === 0) {
      if (strategy.allowUnconditionalUpdate !== false) {
        object.metadata.resourceVersion = String(current);
        return;
      }
      // Upstream names the resource for the kind.
      const { group, resource } = this.info.resource;
      throw invalid({ group, kind: resource }, name, [
        invalidValue('metadata.resourceVersion', 0, 'must be specified for an update'),
      ]);
    }
    if (version !== current) throw conflict(this.info.resource, name, OPTIMISTIC_LOCK_MESSAGE);
  }

  /** Restores the metadata that an update cannot change. */
  #carryOver(object: KubernetesObject, old: Readonly<KubernetesObject>, strategy: Strategy, scope: WriteScope): void {
    const metadata = object.metadata;
    const before = old.metadata;
    if (before.generation === undefined) delete metadata.generation;
    else metadata.generation = before.generation;
    strategy.prepareForUpdate?.(object, old, this.#context(scope));
    if ((metadata.uid ?? '') === '' && before.uid !== undefined) metadata.uid = before.uid;
    if (before.creationTimestamp !== undefined) metadata.creationTimestamp = before.creationTimestamp;
    if (before.deletionTimestamp !== undefined) metadata.deletionTimestamp = before.deletionTimestamp;
    if (before.deletionGracePeriodSeconds !== undefined && metadata.deletionGracePeriodSeconds === undefined) {
      metadata.deletionGracePeriodSeconds = before.deletionGracePeriodSeconds;
    }
    delete metadata.selfLink;
  }

  #validateMeta(object: KubernetesObject, update = false): FieldError[] {
    const { strategy } = this;
    return validateObjectMeta(object.metadata, {
      namespaced: this.info.namespaced,
      ...(update || strategy.validateName === undefined
        ? {}
        : { validateName: (name, prefix) => strategy.validateName?.(name, prefix) ?? [] }),
    });
  }

  #refuse(object: KubernetesObject, errors: readonly FieldError[]): void {
    if (errors.length === 0) return;
    throw invalid(this.strategy.kindInErrors?.(object) ?? this.info.kind, object.metadata.name ?? '', errors);
  }

  #ensureNamespace(scope: WriteScope, object: KubernetesObject): void {
    const wanted = this.info.namespaced ? scope.namespace : '';
    const given = object.metadata.namespace ?? '';
    if (given !== '' && wanted !== '' && given !== wanted) {
      throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
    }
    if (wanted === '') delete object.metadata.namespace;
    else object.metadata.namespace = wanted;
  }

  #checkPreconditions(key: string, { name, preconditions }: UpdateRequest, uid: string, version: string): void {
    const wanted: readonly (readonly [what: string, value: string | undefined, actual: string])[] = [
      ['UID', preconditions?.uid, uid],
      ['ResourceVersion', preconditions?.resourceVersion, version],
    ];
    for (const [what, value, actual] of wanted) {
      if (value === undefined || value === actual) continue;
      throw conflict(
        this.info.resource,
        name,
        `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ` +
          preconditionFailed(what, value, actual),
      );
    }
  }

  async #taken(scope: WriteScope, { metadata }: KubernetesObject): Promise<StatusError> {
    const { name = '', generateName: prefix = '' } = metadata;
    const error =
      prefix === '' ? alreadyExists(this.info.resource, name) : generatedNameTaken(this.info.resource, name);
    const existing = await this.reader.find(scope.namespace, name);
    if (existing?.decode().metadata.deletionTimestamp === undefined) return error;
    return new StatusError({ ...error.status, message: `object is being deleted: ${error.message}` });
  }

  #write(object: KubernetesObject): Change {
    const ttlSeconds = this.strategy.ttlSeconds?.(object);
    return ttlSeconds === undefined ? { type: 'write', object } : { type: 'write', object, ttlSeconds };
  }

  /** What the write would have stored; revision 0 shows no resourceVersion. */
  #preview(key: string, object: KubernetesObject, revision: number): StoredObject {
    return new StoredObject(this.#storage.codec, key, revision, this.#storage.codec.encode(object), true);
  }

  #key(scope: WriteScope, name: string): string {
    checkPathSegment(name);
    return objectKey(this.info, scope.namespace, name);
  }

  #context(scope: WriteScope): StrategyContext {
    const { namespace, userName, requester } = scope;
    const warn = (text: string): void => scope.warn(text);
    return { namespace, now: this.#now(), userName, warn, ...(requester === undefined ? {} : { requester }) };
  }
}

/** Whether an object to create names a version. Upstream ignores one that it cannot parse. */
function namesVersion(resourceVersion = ''): boolean {
  const version = parseResourceVersion(resourceVersion);
  return typeof version === 'number' && version !== 0;
}

/** The errors of a validation, run to its end. */
function settled(validation: Validation | undefined): readonly FieldError[] | Promise<readonly FieldError[]> {
  if (validation === undefined) return [];
  return Array.isArray(validation) ? validation : inSlices(validation);
}
