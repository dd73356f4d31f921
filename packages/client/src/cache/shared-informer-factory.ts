import { untilAborted } from '@binnacle/apimachinery/clock';
import type { GroupVersionResource, KubernetesObject } from '@binnacle/apimachinery/meta';
import { type AnyObject, type DynamicClient, resourceOf } from '../dynamic/index.js';
import type { PartialObjectMetadata, ResourceType, TypedObject } from '../typed/index.js';
import type { IndexFunction } from './indexer.js';
import { type InformerSelection, informerKey, informerName, NotSyncedError } from './informer-selection.js';
import { type InformerOptions, SharedInformer } from './shared-informer.js';

/** The options of all informers of a factory. */
export interface InformerFactoryOptions
  extends Pick<InformerOptions<AnyObject>, 'stream' | 'pageSize' | 'resyncPeriod' | 'clock' | 'random'> {
  /** See {@link InformerOptions.transform}. */
  readonly transform?: <T extends AnyObject>(object: T) => T;
  /** Called for failed requests and for errors of handlers, with the informer's name. Default: emits a process warning. */
  readonly onError?: (error: unknown, informer: string) => void;
}

export interface SharedInformerOptions<T> extends Omit<InformerSelection, 'metadataOnly'> {
  /** Added to the informer's indexes. A name that it already has must have the same function. */
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>;
}

interface Member {
  readonly informer: Pick<SharedInformer<AnyObject>, 'name' | 'failure' | 'hasSynced' | 'synced' | 'run'>;
  readonly controller: AbortController;
  /** Undefined until started. */
  running?: Promise<void>;
}

/**
 * Shares one informer for each resource and selection. No request is sent before {@link start}. An informer requested afterwards starts at
 * once; handlers may be added at any time, since each first receives the present objects.
 */
export class SharedInformerFactory {
  readonly name = 'informers';
  readonly #client: DynamicClient;
  readonly #options: InformerFactoryOptions;
  readonly #members = new Map<string, Member>();
  /** Runs of members, and of removed informers that have not ended. */
  readonly #running = new Set<Promise<void>>();
  #signal: AbortSignal | undefined;
  readonly #failed: Promise<never>;
  #fail: (reason: unknown) => void = () => undefined;

  constructor(client: DynamicClient, options: InformerFactoryOptions = {}) {
    this.#client = client;
    this.#options = options;
    this.#failed = new Promise((_, reject) => {
      this.#fail = reject;
    });
  }

  /** The informer of these objects, of all namespaces by default. A `ResourceType` carries the type of its objects. */
  informer<T extends TypedObject>(resource: ResourceType<T>, options?: SharedInformerOptions<T>): SharedInformer<T>;
  informer<T extends AnyObject = KubernetesObject>(
    resource: GroupVersionResource,
    options?: SharedInformerOptions<T>,
  ): SharedInformer<T>;
  informer<T extends AnyObject>(
    resource: GroupVersionResource | ResourceType,
    options: SharedInformerOptions<T> = {},
  ): SharedInformer<T> {
    return this.#informer<T>(resource, options, options.indexes);
  }

  /** An informer of metadata only, which works for any kind in a fraction of the memory. */
  metadata(
    resource: GroupVersionResource | ResourceType,
    options: SharedInformerOptions<PartialObjectMetadata> = {},
  ): SharedInformer<PartialObjectMetadata> {
    return this.#informer(resource, { ...options, metadataOnly: true }, options.indexes);
  }

  /** Starts all informers, later ones included, until the signal fires. Further calls do nothing. */
  start(signal: AbortSignal): void {
    if (this.#signal !== undefined) return;
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#stop(signal.reason), { once: true });
    for (const member of this.#members.values()) this.#start(member, signal);
  }

  /**
   * Starts all informers, and resolves when the signal has fired and all requests have ended. Failed requests do not reject it. If `onError`
   * throws, it stops all informers and rejects.
   */
  async run(signal: AbortSignal): Promise<void> {
    this.start(signal);
    try {
      await Promise.race([untilAborted(signal), this.#failed]);
    } catch (error) {
      this.#stop(error);
      throw error;
    } finally {
      await Promise.allSettled(this.#running);
    }
  }

  /**
   * Resolves when all informers requested so far have synced. If this signal or that of {@link start} fires first, rejects with a
   * {@link NotSyncedError} that names the informers and their errors.
   */
  async synced(signal?: AbortSignal): Promise<void> {
    const informers = [...this.#members.values()].map(({ informer }) => informer);
    const results = await Promise.allSettled(informers.map((informer) => informer.synced(signal)));
    const missing = informers.filter((informer) => !informer.hasSynced && this.#holds(informer));
    const reason = results.find((result) => result.status === 'rejected')?.reason as unknown;
    if (missing.length > 0) throw new NotSyncedError(missing, reason);
  }

  /** Stops the informer and drops it: the next request for it creates a new one. Resolves when its requests have ended. */
  async remove<T extends AnyObject>(informer: SharedInformer<T>): Promise<void> {
    for (const [key, member] of this.#members) {
      if (member.informer !== informer) continue;
      this.#members.delete(key);
      member.controller.abort(new Error(`the informer of ${informer.name} was removed`));
      await member.running;
    }
  }

  #informer<T extends AnyObject>(
    resource: GroupVersionResource | ResourceType,
    { namespace, labelSelector, fieldSelector, metadataOnly }: InformerSelection,
    indexes: Readonly<Record<string, IndexFunction<T>>> = {},
  ): SharedInformer<T> {
    const selection = { namespace, labelSelector, fieldSelector, metadataOnly };
    const key = informerKey(resourceOf(resource), selection);
    const known = this.#members.get(key);
    // The type of a resource's objects is the caller's promise.
    const informer = known === undefined ? this.#create<T>(resource, selection) : (known.informer as SharedInformer<T>);
    for (const [name, index] of Object.entries(indexes)) informer.indexer.addIndex(name, index);
    if (known !== undefined) return informer;
    const member: Member = {
      informer,
      controller: new AbortController(),
    };
    this.#members.set(key, member);
    if (this.#signal !== undefined) this.#start(member, this.#signal);
    return informer;
  }

  #create<T extends AnyObject>(
    resource: GroupVersionResource | ResourceType,
    selection: InformerSelection,
  ): SharedInformer<T> {
    const { namespace, labelSelector, fieldSelector, metadataOnly = false } = selection;
    const all = this.#client.resource<T>(resource);
    const { onError, ...options } = this.#options;
    const name = informerName(resourceOf(resource), selection);
    return new SharedInformer<T>(namespace === undefined ? all : all.namespace(namespace), {
      ...options,
      name,
      select: { labelSelector, fieldSelector },
      metadataOnly,
      ...(onError === undefined ? {} : { onError: (error: unknown) => onError(error, name) }),
    });
  }

  #start(member: Member, signal: AbortSignal): void {
    if (signal.aborted) member.controller.abort(signal.reason);
    const running = member.informer
      .run(member.controller.signal)
      .catch(this.#fail)
      .finally(() => this.#running.delete(running));
    member.running = running;
    this.#running.add(running);
  }

  #stop(reason: unknown): void {
    for (const { controller } of this.#members.values()) controller.abort(reason);
  }

  #holds(informer: Member['informer']): boolean {
    return [...this.#members.values()].some((member) => member.informer === informer);
  }
}
