import { setImmediate as nextTurn } from 'node:timers/promises';
import { asJson } from '@binnacle/apimachinery/meta';
import { deepEqual } from '@binnacle/apimachinery/json';
import { abortable, type Clock, sleep, systemClock } from '@binnacle/apimachinery/clock';
import type { AnyObject } from '../dynamic/index.js';
import { warnOfError } from '../rest/index.js';
import { type IndexFunction, Indexer, Lister, objectKey } from './indexer.js';
import { type ObjectSink, type ObjectSource, Reflector, type ReflectorOptions } from './reflector.js';
import type { ReflectorState } from './state.js';

/** Called after the indexer has the change. Objects are shared and must not be changed. */
export interface InformerHandler<T> {
  /** `isInInitialList`: the object existed before the watch began. */
  onAdd?(object: T, isInInitialList: boolean): void;
  /** For a resync both are the same object. */
  onUpdate?(before: T, after: T): void;
  /** `finalStateUnknown`: the DELETED event was missed, so the object may be stale. */
  onDelete?(object: T, finalStateUnknown: boolean): void;
}

export interface InformerOptions<T> extends Omit<ReflectorOptions<T>, 'onError'> {
  /** For messages. Default: `objects`. */
  readonly name?: string;
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>;
  /** Milliseconds between resyncs, which call `onUpdate` for every object. Default: none. */
  readonly resyncPeriod?: number;
  /** Called for failed requests and for errors of handlers. Default: emits a process warning. */
  readonly onError?: (error: unknown) => void;
}

/** After this many objects of a list, other work of the process has its turn. */
const OBJECTS_A_TURN = 200;

/** One watch of a resource, shared by any number of handlers. */
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
    // No caller may be waiting; avoid an unhandled rejection.
    this.#synced.catch(() => undefined);
  }

  /** For diagnosis. */
  get state(): ReflectorState {
    return this.#reflector.state;
  }

  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** The error of the last request; undefined if it succeeded. */
  get failure(): unknown {
    return this.state.failures === 0 ? undefined : this.#failure;
  }

  /**
   * Resolves when the indexer and the handlers have received the first list. Rejects with the signal's reason, or if the informer is stopped
   * before.
   */
  async synced(signal?: AbortSignal): Promise<void> {
    return abortable(this.#synced, signal);
  }

  /** Calls `onAdd` for every present object, then the handler for every change, until disposed. */
  addHandler(handler: InformerHandler<T>): Disposable {
    for (const object of this.indexer.list()) this.#call(() => handler.onAdd?.(object, true));
    // A wrapper, so that a handler added twice can be removed once.
    const own = {
      onAdd: (object: T, initial: boolean) => handler.onAdd?.(object, initial),
      onUpdate: (before: T, after: T) => handler.onUpdate?.(before, after),
      onDelete: (object: T, unknown: boolean) => handler.onDelete?.(object, unknown),
    };
    this.#handlers.add(own);
    return { [Symbol.dispose]: () => this.#handlers.delete(own) };
  }

  /** Resolves when the signal has fired and all requests have ended. Rejects if called again. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#hasRun) throw new Error(`the informer of ${this.name} can run only once`);
    this.#hasRun = true;
    await Promise.all([this.#reflector.run(signal), this.#resync(signal)]);
    this.#giveUp(new Error(`the informer of ${this.name} was stopped before it had synced`));
  }

  #sink(): ObjectSink<T> {
    return {
      replace: (objects, signal) => this.#replace(objects, signal),
      set: (object) => this.#set(object, false),
      delete: (object) => this.#delete(objectKey(object), object),
    };
  }

  async #replace(objects: readonly T[], signal: AbortSignal): Promise<void> {
    const present = new Set(objects.map(objectKey));
    const gone = [...this.indexer.keys()].filter((key) => !present.has(key));
    await inTurns(gone, signal, (key) => this.#delete(key));
    await inTurns(objects, signal, (object) => this.#set(object, !this.#hasSynced));
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

  /** `last` is the final state, if a DELETED event showed it. */
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
      const resync = (key: string) => {
        const object = this.indexer.get(key);
        if (object !== undefined) this.#each((handler) => handler.onUpdate?.(object, object));
      };
      await inTurns([...this.indexer.keys()], signal, resync).catch(() => undefined);
    }
  }

  #each(notify: (handler: InformerHandler<T>) => void): void {
    // A handler that another one adds has already got this change from the indexer.
    const handlers = [...this.#handlers];
    for (const handler of handlers) if (this.#handlers.has(handler)) this.#call(() => notify(handler));
  }

  #call(notify: () => void): void {
    try {
      notify();
    } catch (error) {
      this.#report(error);
    }
  }

  #report(error: unknown): void {
    const { onError = warnOfError } = this.#options;
    onError(error);
  }
}

/** Rejects with the signal's reason when it fires between two turns. */
async function inTurns<Item>(items: readonly Item[], signal: AbortSignal, act: (item: Item) => void): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index % OBJECTS_A_TURN === OBJECTS_A_TURN - 1) {
      await nextTurn();
      signal.throwIfAborted();
    }
    act(item);
  }
}

/** Compares contents too: a store that was restored from a backup assigns the same resourceVersions again. */
function isSame<T extends AnyObject>(before: T, after: T): boolean {
  if (before.metadata?.resourceVersion !== after.metadata?.resourceVersion) return false;
  return deepEqual(asJson(before), asJson(after));
}
