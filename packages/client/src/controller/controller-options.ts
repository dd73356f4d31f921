import type { Indexer, IndexFunction, Lister } from '../cache/index.js';
import type { Clock } from '../clock/index.js';
import type { DynamicClient } from '../dynamic/index.js';
import type { EventRecorder } from '../events/index.js';
import type { SelectOptions } from '../rest/index.js';
import type { ResourceType, TypedObject } from '../typed/index.js';
import type { RateLimiter } from '../workqueue/index.js';
import type { Predicate } from './predicates.js';
import type { ReconcileRequest } from './request.js';

/** Objects of this kind that an object of the primary kind controls: their changes are its own. */
export interface OwnedKind<T extends TypedObject = TypedObject> {
  readonly resource: ResourceType<T>;
  readonly predicate?: Predicate<T>;
}

/** Objects of this kind matter to others. */
export interface WatchedKind<T extends TypedObject = TypedObject> {
  readonly resource: ResourceType<T>;
  /**
   * Whom this object matters to. Of an update, the objects before and after are both asked about. Must be quick; what it
   * throws is reported, and the change goes unnoticed.
   */
  readonly map: (object: T) => Iterable<ReconcileRequest>;
  readonly predicate?: Predicate<T>;
  /** Only these are watched, and what this controller reads of the kind from the cache is of these. Default: all. */
  readonly select?: SelectOptions;
}

/** Objects of this kind are read from the cache. */
export interface ReadKind<T extends TypedObject = TypedObject> {
  readonly resource: ResourceType<T>;
  /** What they are found by, beside their names. The same name must be the same function in all controllers. */
  readonly indexes?: { readonly [name: string]: IndexFunction<T> };
}

/** What a reconcile is given beside its request. */
export interface ReconcileContext {
  /** Fires when the controller stops, or the time of this reconcile is over. Hand it to every call. */
  readonly signal: AbortSignal;
  readonly client: DynamicClient;
  readonly clock: Clock;
  /** Tells people what happens to an object, as this controller. */
  readonly recorder: EventRecorder;
  /**
   * Asks for a reconcile because of something that no informer tells: at any time, later too. Does nothing when the controller has stopped. Upstream:
   * controller-runtime `source.Channel`.
   */
  readonly enqueue: (request: ReconcileRequest) => void;
  /**
   * Reads the cache, which is complete but may be behind what this controller itself has written. For kinds that the controller names in
   * `for`, `owns`, `watches` or `reads`; throws a TypeError for others. Objects are shared: change copies.
   */
  readonly lister: <T extends TypedObject>(resource: ResourceType<T>) => Lister<T>;
  /** The same, for lookups by index. */
  readonly indexer: <T extends TypedObject>(resource: ResourceType<T>) => Indexer<T>;
}

/** Undefined: done until something changes. Else: again in so many milliseconds, or sooner if something changes. */
export type ReconcileResult = { readonly requeueAfter: number } | undefined;

/**
 * Brings the world to what the object of this name asks for, whatever has happened before. What it throws is reported, and it is called again
 * later and later; a `TerminalError` is not tried again. Never runs twice at a time for the same request.
 */
export type Reconcile = (request: ReconcileRequest, context: ReconcileContext) => Promise<ReconcileResult | void>;

/** How requests are worked on. */
export interface ReconcileOptions {
  readonly reconcile: Reconcile;
  /** How many requests are worked on at a time. Default: 1. */
  readonly concurrency?: number;
  /** When what has failed is tried again. Made for each run. Default: client-go's. */
  readonly rateLimiter?: (clock: Clock) => RateLimiter<string>;
  /** How long a reconcile may take before its signal fires, milliseconds. Default: as long as it likes. */
  readonly timeout?: number;
}

export interface ControllerOptions<
  T extends TypedObject,
  O extends readonly TypedObject[],
  W extends readonly TypedObject[],
  R extends readonly TypedObject[],
> extends ReconcileOptions {
  /** Of all controllers of a manager, one. Default: the primary kind in lower case. */
  readonly name?: string;
  /** The primary kind: each of its objects is a request. Without one, `watches` alone says what to do. */
  readonly for?: ResourceType<T>;
  /** Which changes of the primary kind count. Default: all. */
  readonly predicate?: Predicate<T>;
  readonly owns?: { readonly [K in keyof O]: ResourceType<O[K]> | OwnedKind<O[K]> };
  readonly watches?: { readonly [K in keyof W]: WatchedKind<W[K]> };
  readonly reads?: { readonly [K in keyof R]: ResourceType<R[K]> | ReadKind<R[K]> };
}
