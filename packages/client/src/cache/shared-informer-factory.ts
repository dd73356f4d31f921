import type { GroupVersionResource, KubernetesObject } from '@binnacle/apimachinery/meta';
import { type AnyObject, type DynamicClient, resourceOf } from '../dynamic/index.js';
import type { PartialObjectMetadata, ResourceType, TypedObject } from '../typed/index.js';
import type { IndexFunction } from './indexer.js';
import { type InformerSelection, informerKey, informerName } from './informer-key.js';
import { NotSyncedError } from './not-synced-error.js';
import { type InformerOptions, SharedInformer } from './shared-informer.js';

/** What all informers of a factory have in common. */
export interface InformerFactoryOptions
  extends Pick<InformerOptions<AnyObject>, 'stream' | 'pageSize' | 'resyncPeriod' | 'clock' | 'random'> {
  /** Makes what is kept of what was read; see {@link InformerOptions}. */
  readonly transform?: <T extends AnyObject>(object: T) => T;
  /** Hears of failed requests and of what handlers throw, with the name of the informer. Default: a warning of this process. */
  readonly onError?: (error: unknown, informer: string) => void;
}

export interface SharedInformerOptions<T> extends Omit<InformerSelection, 'metadataOnly'> {
  /** Added to those that the informer has. One of a name that it has already must be the same function. */
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>;
}

interface Member {
  readonly informer: Pick<SharedInformer<AnyObject>, 'name' | 'failure' | 'hasSynced' | 'synced' | 'run'>;
  readonly controller: AbortController;
  /** Absent before it was started. */
  running?: Promise<void>;
}

/**
 * One informer for each resource and selection, however many want it. Before {@link start} nothing is requested; what is asked for
 * afterwards starts at once, as handlers hear of everything whenever they come.
 */
export class SharedInformerFactory {
  readonly name = 'informers';
  readonly #client: DynamicClient;
  readonly #options: InformerFactoryOptions;
  readonly #members = new Map<string, Member>();
  /** Of members and of those that were removed and still have something under way. */
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

  /** The informer of these objects, of any namespace unless one is given. A `ResourceType` brings the type of its objects with it. */
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

  /** The same of their metadata alone, for those who look after objects of any kind; a fraction of the memory. */
  metadata(
    resource: GroupVersionResource | ResourceType,
    options: SharedInformerOptions<PartialObjectMetadata> = {},
  ): SharedInformer<PartialObjectMetadata> {
    return this.#informer(resource, { ...options, metadataOnly: true }, options.indexes);
  }

  /** Starts all informers, those that are asked for later too, until the signal fires. Does nothing when they are started already. */
  start(signal: AbortSignal): void {
    if (this.#signal !== undefined) return;
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#stop(signal.reason), { once: true });
    for (const member of this.#members.values()) this.#begin(member, signal);
  }

  /**
   * Starts all, and resolves when the signal has fired and nothing is under way any more. Requests that fail are no failure of it; it stops
   * everything and rejects when `onError` throws.
   */
  async run(signal: AbortSignal): Promise<void> {
    this.start(signal);
    try {
      await Promise.race([hasFired(signal), this.#failed]);
    } catch (error) {
      this.#stop(error);
      throw error;
    } finally {
      await Promise.allSettled(this.#running);
    }
  }

  /**
   * Resolves when all that are asked for by now hold what there was at their first list. Rejects with a {@link NotSyncedError}, which
   * names those that do not and says what they fail with, when the signal or that of {@link start} fires first.
   */
  async synced(signal?: AbortSignal): Promise<void> {
    const informers = [...this.#members.values()].map(({ informer }) => informer);
    const results = await Promise.allSettled(informers.map((informer) => informer.synced(signal)));
    const missing = informers.filter((informer) => !informer.hasSynced && this.#holds(informer));
    const reason = results.find((result) => result.status === 'rejected')?.reason as unknown;
    if (missing.length > 0) throw new NotSyncedError(missing, reason);
  }

  /** Stops this informer and forgets it: whoever asks for the same gets a new one. Resolves when nothing of it is under way any more. */
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
    // That the objects of a resource have this type is the caller's promise.
    const informer = known === undefined ? this.#create<T>(resource, selection) : (known.informer as SharedInformer<T>);
    for (const [name, index] of Object.entries(indexes)) informer.indexer.addIndex(name, index);
    if (known !== undefined) return informer;
    const member: Member = {
      informer,
      controller: new AbortController(),
    };
    this.#members.set(key, member);
    if (this.#signal !== undefined) this.#begin(member, this.#signal);
    return informer;
  }

  #create<T extends AnyObject>(
    resource: GroupVersionResource | ResourceType,
    selection: InformerSelection,
  ): SharedInformer<T> {
    const { namespace, labelSelector, fieldSelector, metadataOnly = false } = selection;
    const everywhere = this.#client.resource<T>(resource);
    const { onError, ...options } = this.#options;
    const name = informerName(resourceOf(resource), selection);
    return new SharedInformer<T>(namespace === undefined ? everywhere : everywhere.namespace(namespace), {
      ...options,
      name,
      select: { labelSelector, fieldSelector },
      metadataOnly,
      ...(onError === undefined ? {} : { onError: (error: unknown) => onError(error, name) }),
    });
  }

  #begin(member: Member, signal: AbortSignal): void {
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

async function hasFired(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
