import type { Clock, Random } from '@binnacle/apimachinery/clock';
import { deepCopyInSteps } from '@binnacle/apimachinery/json';
import { asJson, asObject, type KubernetesObject, type ObjectMeta } from '@binnacle/apimachinery/meta';
import { type FieldError, invalid, notFound, unclassified } from '@binnacle/apimachinery/status';
import { WorkBudget } from '@binnacle/apimachinery/work';
import { type NameRule, validateObjectMeta, validateObjectMetaUpdate } from '@binnacle/apimachinery/validation';
import { placeInNamespace } from '../names/index.js';
import { parseResourceVersion } from '../request/index.js';
import { inSlices, stage } from '../slices/index.js';
import type { StoredObject } from '../storage/index.js';
import { ClaimScope } from './claim-scope.js';
import { advancesDeletion, completesDeletion } from './deletion.js';
import {
  type Encode,
  fillSystemMetadata,
  keepGeneration,
  keepManagerTimes,
  keepSystemMetadata,
} from './object-metadata.js';
import { objectKey, type ResourceInfo } from './resource-info.js';
import type { Allocator, UpdateRequest, WriteGuard, WriteScope } from './scope.js';
import type { Strategy, StrategyContext, Validation } from './strategy.js';
import { checkPreconditions, checkVersion } from './update-checks.js';

export interface WriteStepsOptions {
  readonly info: ResourceInfo;
  readonly strategy: Strategy;
  readonly allocator?: Allocator | undefined;
  readonly guard?: WriteGuard | undefined;
  readonly clock: Clock;
  readonly random: Random;
  /** The canonical bytes of an object. */
  readonly encode: Encode;
}

/** An update that is ready to be stored. */
export interface PreparedUpdate {
  readonly object: KubernetesObject;
  readonly claims: ClaimScope;
  readonly created: boolean;
  /** The update completes a deletion. */
  readonly gone: boolean;
  /** The update brings a deletion forward. */
  readonly forDeletion: boolean;
}

/**
 * The steps from the object of a request to the object in the store, in their one order. They store nothing: what they
 * claim belongs to their result.
 */
export class WriteSteps {
  readonly #options: WriteStepsOptions;

  constructor(options: WriteStepsOptions) {
    this.#options = options;
  }

  /** Mutating admission, then the guard. `name`: the one in the URL; empty for a create of a collection. */
  async admit(
    scope: WriteScope,
    name: string,
    object: KubernetesObject,
    old?: Readonly<KubernetesObject>,
  ): Promise<void> {
    const { admission } = scope;
    await (old === undefined ? admission.admitCreate(object) : admission.admitUpdate(object, old));
    await stage();
    const { guard } = this.#options;
    if (guard === undefined) return;
    await guard.check({ scope, name, object, old });
    await stage();
  }

  /** Prepares an admitted new object, and returns its claims. Throws 422 if it is invalid. */
  async create(scope: WriteScope, object: KubernetesObject): Promise<ClaimScope> {
    const { strategy, allocator, clock, random } = this.#options;
    // Upstream refuses this in its storage, which a dry run does not reach.
    if (!scope.dryRun && namesVersion(object.metadata)) {
      throw unclassified('resourceVersion should not be set on objects to be created');
    }
    fillSystemMetadata(object.metadata, clock.now(), random.uuid());
    this.place(scope, object);
    const claims = new ClaimScope(await allocator?.claimForCreate(object, scope));
    try {
      strategy.prepareForCreate?.(object, this.#contextOf(scope));
      await stage();
      const metaErrors = this.#validateMeta(object, strategy);
      await stage();
      const errors = await settled(strategy.validate?.(object, budgetOf(scope)), scope);
      this.#refuse(object, metaErrors.concat(errors));
      await stage();
      this.#finish(scope, strategy, object, undefined);
      await stage();
      await scope.admission.validateCreate(object);
      return claims;
    } catch (error) {
      await claims.release();
      throw error;
    }
  }

  /** Makes the new object from the current one, which may be absent, and prepares it. */
  update(scope: WriteScope, request: UpdateRequest, current: StoredObject | undefined): Promise<PreparedUpdate> {
    return current === undefined ? this.#createAbsent(scope, request) : this.#replace(scope, request, current);
  }

  /** Puts the object into the namespace of the request. Throws 400 if it names another. */
  place(scope: WriteScope, object: KubernetesObject): void {
    placeInNamespace(object.metadata, this.#options.info.namespaced ? scope.namespace : '');
  }

  async #createAbsent(scope: WriteScope, request: UpdateRequest): Promise<PreparedUpdate> {
    const { name, strategy = this.#options.strategy } = request;
    if (strategy.allowCreateOnUpdate !== true && request.createIfAbsent !== true) {
      throw notFound(this.#options.info.resource, name);
    }
    this.#checkPreconditions(scope, request, '', '0');
    const object = await request.transform(undefined);
    delete object.metadata.resourceVersion;
    this.place(scope, object);
    await this.admit(scope, name, object);
    return { object, claims: await this.create(scope, object), created: true, gone: false, forDeletion: false };
  }

  async #replace(scope: WriteScope, request: UpdateRequest, current: StoredObject): Promise<PreparedUpdate> {
    const { info, allocator } = this.#options;
    const { name, strategy = this.#options.strategy } = request;
    await stage();
    const old = await inSlices(current.decodeInSteps());
    this.#checkPreconditions(scope, request, old.metadata.uid ?? '', String(current.revision));
    await stage();
    const own = request.leavesCurrent === true ? old : await copied(old);
    await stage();
    const object = await request.transform(own);
    await stage();
    // Plugins see the namespace, although a body may leave it out. They may remove it.
    this.place(scope, object);
    await this.admit(scope, name, object, old);
    checkVersion(info, strategy, name, object, current.revision);
    this.place(scope, object);
    const claims = new ClaimScope(
      request.strategy === undefined ? await allocator?.claimForUpdate(object, old, scope) : undefined,
    );
    try {
      await this.#prepareUpdate(scope, strategy, object, old);
      await keepManagerTimes(object, old, current, this.#options.encode);
      await stage();
      await scope.admission.validateUpdate(object, old);
    } catch (error) {
      await claims.release();
      throw error;
    }
    const gone = completesDeletion(this.#options.strategy, object, old);
    return { object, claims, created: false, gone, forDeletion: advancesDeletion(object, old) };
  }

  /** Merges the server's metadata into an admitted update. Throws 422 if the result is invalid. */
  async #prepareUpdate(
    scope: WriteScope,
    strategy: Strategy,
    object: KubernetesObject,
    old: Readonly<KubernetesObject>,
  ): Promise<void> {
    keepGeneration(object.metadata, old.metadata);
    strategy.prepareForUpdate?.(object, old, this.#contextOf(scope));
    keepSystemMetadata(object.metadata, old.metadata);
    await stage();
    const metaErrors = validateObjectMetaUpdate(object.metadata, old.metadata);
    // Upstream validates metadata a second time with these kinds, and clients see both sets of errors.
    const allMetaErrors = this.#validateMeta(object).concat(metaErrors, metaErrors);
    await stage();
    const errors = await settled(strategy.validateUpdate?.(object, old, budgetOf(scope)), scope);
    this.#refuse(object, allMetaErrors.concat(errors));
    await stage();
    this.#finish(scope, strategy, object, old);
    await stage();
  }

  /** Warns of a valid object, and puts it into the one form in which it is stored. */
  #finish(
    scope: WriteScope,
    strategy: Strategy,
    object: KubernetesObject,
    old: Readonly<KubernetesObject> | undefined,
  ): void {
    for (const text of strategy.warnings?.(object, old) ?? []) scope.warn(text);
    strategy.canonicalize?.(object);
  }

  #checkPreconditions(scope: WriteScope, request: UpdateRequest, uid: string, resourceVersion: string): void {
    const { preconditions } = request;
    if (preconditions === undefined) return;
    const { info } = this.#options;
    const key = objectKey(info, scope.namespace, request.name);
    checkPreconditions(info, { key, name: request.name, preconditions }, { uid, resourceVersion });
  }

  /** `naming`: the strategy whose rule for names applies; only new names are checked against it. */
  #validateMeta(object: KubernetesObject, naming?: Strategy): FieldError[] {
    const { namespaced } = this.#options.info;
    if (naming?.validateName === undefined) return validateObjectMeta(object.metadata, { namespaced });
    const validateName: NameRule = (name, prefix) => naming.validateName?.(name, prefix) ?? [];
    return validateObjectMeta(object.metadata, { namespaced, validateName });
  }

  #refuse(object: KubernetesObject, errors: readonly FieldError[]): void {
    if (errors.length === 0) return;
    const { strategy, info } = this.#options;
    throw invalid(strategy.kindInErrors?.(object) ?? info.kind, object.metadata.name ?? '', errors);
  }

  #contextOf(scope: WriteScope): StrategyContext {
    const { namespace, userName, requester } = scope;
    return { namespace, now: this.#options.clock.now(), userName, requester, warn: (text) => scope.warn(text) };
  }
}

/** A copy that shares nothing with the object. It costs less than decoding the object again. */
export async function copied(object: Readonly<KubernetesObject>): Promise<KubernetesObject> {
  return asObject(await inSlices(deepCopyInSteps(asJson(object))));
}

/** Whether an object to create names a version. Upstream ignores one that it cannot parse. */
function namesVersion({ resourceVersion = '' }: Readonly<ObjectMeta>): boolean {
  const version = parseResourceVersion(resourceVersion);
  return typeof version === 'number' && version !== 0;
}

/** The server's own writes have no budget. */
function budgetOf({ budget }: WriteScope): WorkBudget {
  return budget ?? new WorkBudget();
}

/** The errors of a validation, run to its end. Fails when the request ends before. */
function settled(
  validation: Validation | undefined,
  { signal }: WriteScope,
): readonly FieldError[] | Promise<readonly FieldError[]> {
  if (validation === undefined) return [];
  return Array.isArray(validation) ? validation : inSlices(validation, signal);
}
