import { deepEqual, type JsonValue } from '@binnacle/apimachinery/json';
import { abortable, type Clock, sleep, systemClock } from '../clock/index.js';
import type { AnyObject } from '../dynamic/index.js';
import { warnOfError } from '../rest/index.js';
import { type IndexFunction, Indexer } from './indexer.js';
import { Lister } from './lister.js';
import { objectKey } from './object-key.js';
import { Reflector, type ReflectorOptions } from './reflector.js';
import type { ObjectSink, ObjectSource } from './source.js';
import type { ReflectorState } from './state.js';

/** Hears of changes after the indexer has them. Objects are shared: to be read, not changed. */
export interface InformerHandler<T> {
  /** `isInInitialList`: it was there before anybody watched. */
  onAdd?(object: T, isInInitialList: boolean): void;
  /** With a resync, both are the same. */
  onUpdate?(before: T, after: T): void;
  /** `finalStateUnknown`: it went away unseen, and may have changed since this state of it. */
  onDelete?(object: T, finalStateUnknown: boolean): void;
}

export interface InformerOptions<T> extends Omit<ReflectorOptions, 'onError'> {
  /** For people. Default: `objects`. */
  readonly name?: string;
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>;
  /** Makes what is kept of what was read: without what nobody needs. Must not change the name, namespace and resourceVersion. */
  readonly transform?: (object: T) => T;
  /** Tell handlers of everything again this often, milliseconds. Default: never. */
  readonly resyncPeriod?: number;
  /** Hears of failed requests and of what handlers throw. Default: a warning of this process. */
  readonly onError?: (error: unknown) => void;
}

/** One watch of a resource, for as many as want to know. */
export class SharedInformer<T extends AnyObject> {
  readonly name: string;
  readonly indexer: Indexer<T>;
  readonly lister: Lister<T>;
  readonly #reflector: Reflector<T>;
  readonly #handlers = new Set<InformerHandler<T>>();
  readonly #options: InformerOptions<T>;
  readonly #clock: Clock;
  readonly #synced: Promise<void>;
  #markSynced: () => void = () => undefined;
  #giveUp: (reason: Error) => void = () => undefined;
  #hasRun = false;
  #hasSynced = false;
  #failure: unknown;

  constructor(source: ObjectSource<T>, options: InformerOptions<T> = {}) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.name = options.name ?? 'objects';
    this.indexer = new Indexer<T>(options.indexes);
    this.lister = new Lister<T>(this.indexer);
    const onError = (error: unknown) => {
      this.#failure = error;
      this.#report(error);
    };
    this.#reflector = new Reflector<T>(source, this.#sink(), { ...options, onError });
    this.#synced = new Promise((resolve, reject) => {
      this.#markSynced = resolve;
      this.#giveUp = reject;
    });
    // Perhaps nobody waits for it.
    this.#synced.catch(() => undefined);
  }

  /** For those who want to know how things stand. */
  get state(): ReflectorState {
    return this.#reflector.state;
  }

  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** What the last request failed with; undefined when it did not fail. */
  get failure(): unknown {
    return this.state.failures === 0 ? undefined : this.#failure;
  }

  /**
   * Resolves when the indexer holds, and the handlers have heard of, all that there was at the first list. Rejects with the signal's
   * reason, and when the informer was stopped before.
   */
  async synced(signal?: AbortSignal): Promise<void> {
    return abortable(this.#synced, signal);
  }

  /** Tells the handler of all there is, and from then on of every change, until it is disposed of. */
  addHandler(handler: InformerHandler<T>): Disposable {
    for (const object of this.indexer.list()) this.#call(() => handler.onAdd?.(object, true));
    // One handler may be added twice, and be removed once.
    const own = {
      onAdd: (object: T, initial: boolean) => handler.onAdd?.(object, initial),
      onUpdate: (before: T, after: T) => handler.onUpdate?.(before, after),
      onDelete: (object: T, unknown: boolean) => handler.onDelete?.(object, unknown),
    };
    this.#handlers.add(own);
    return { [Symbol.dispose]: () => this.#handlers.delete(own) };
  }

  /** Resolves when the signal has fired and nothing is under way any more. Rejects the second time. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#hasRun) throw new Error(`the informer of ${this.name} runs once`);
    this.#hasRun = true;
    await Promise.all([this.#reflector.run(signal), this.#resync(signal)]);
    this.#giveUp(new Error(`the informer of ${this.name} was stopped before it had synced`));
  }

  #sink(): ObjectSink<T> {
    const { transform = (object: T) => object } = this.#options;
    return {
      replace: (objects) => this.#replace(objects.map(transform)),
      set: (object) => this.#set(transform(object), false),
      delete: (object) => this.#delete(objectKey(object), transform(object)),
    };
  }

  #replace(objects: readonly T[]): void {
    const present = new Set(objects.map(objectKey));
    const gone = [...this.indexer.keys()].filter((key) => !present.has(key));
    for (const key of gone) this.#delete(key);
    for (const object of objects) this.#set(object, !this.#hasSynced);
    this.#hasSynced = true;
    this.#markSynced();
  }

  #set(object: T, isInInitialList: boolean): void {
    const key = objectKey(object);
    const before = this.indexer.get(key);
    if (before !== undefined && isSame(before, object)) return;
    if (before !== undefined && before.metadata?.uid !== object.metadata?.uid) this.#delete(key);
    const replaced = this.indexer.set(object);
    if (replaced === undefined) this.#each((handler) => handler.onAdd?.(object, isInInitialList));
    else this.#each((handler) => handler.onUpdate?.(replaced, object));
  }

  /** `last`: the final state, if anybody saw it. */
  #delete(key: string, last?: T): void {
    const before = this.indexer.delete(key);
    if (before !== undefined) this.#each((handler) => handler.onDelete?.(last ?? before, last === undefined));
  }

  async #resync(signal: AbortSignal): Promise<void> {
    const { resyncPeriod } = this.#options;
    if (resyncPeriod === undefined) return;
    while (!signal.aborted) {
      await sleep(this.#clock, resyncPeriod, signal).catch(() => undefined);
      if (signal.aborted) return;
      for (const object of this.indexer.list()) this.#each((handler) => handler.onUpdate?.(object, object));
    }
  }

  #each(tell: (handler: InformerHandler<T>) => void): void {
    // Whoever is added by a handler has heard of this change already, as it is in the indexer.
    const handlers = [...this.#handlers];
    for (const handler of handlers) if (this.#handlers.has(handler)) this.#call(() => tell(handler));
  }

  #call(tell: () => void): void {
    try {
      tell();
    } catch (error) {
      this.#report(error);
    }
  }

  #report(error: unknown): void {
    const { onError = warnOfError } = this.#options;
    onError(error);
  }
}

/** A store that was put back gives out its versions a second time: the same one can mean something else. */
function isSame<T extends AnyObject>(before: T, after: T): boolean {
  if (before.metadata?.resourceVersion !== after.metadata?.resourceVersion) return false;
  // Of interfaces TypeScript cannot see that they are JSON.
  return deepEqual(before as unknown as JsonValue, after as unknown as JsonValue);
}
