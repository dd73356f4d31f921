import type { Indexer, IndexFunction, Lister, SharedInformerFactory } from '../cache/index.js';
import type { Clock } from '@binnacle/apimachinery/clock';
import type { DynamicClient } from '../dynamic/index.js';
import type { EventBroadcaster, EventRecorder } from '../events/index.js';
import type { SelectOptions } from '../rest/index.js';
import type { ResourceType, TypedObject } from '../typed/index.js';
import type { RateLimiter, WorkQueue, WorkQueueObserver } from '../workqueue/index.js';
import type { Predicate } from './predicates.js';
import type { ReconcileObserver } from './reconcile-loop.js';
import type { ReconcileRequest, ReconcileResult } from './reconcile-request.js';
import type { Runnable } from './runnable.js';

/** A kind whose objects are controlled by objects of the primary kind. A change of one reconciles its controller. */
export interface OwnedKind<T extends TypedObject = TypedObject> {
  readonly resource: ResourceType<T>;
  readonly predicate?: Predicate<T>;
}

/** A kind whose changes reconcile other objects. */
export interface WatchedKind<T extends TypedObject = TypedObject> {
  readonly resource: ResourceType<T>;
  /**
   * The objects to reconcile when this one changes. For an update it is called with the objects before and after. It must be fast. An error is
   * reported, and the change is dropped.
   */
  readonly map: (object: T) => Iterable<ReconcileRequest>;
  readonly predicate?: Predicate<T>;
  /** Restricts the watch, and so what the controller reads of this kind from the cache. Default: all objects. */
  readonly select?: SelectOptions;
  /** Milliseconds that requests from this kind wait, so that later changes join them. Default: 0. */
  readonly delay?: number;
}

/** A kind that the controller only reads from the cache. */
export interface ReadKind<T extends TypedObject = TypedObject> {
  readonly resource: ResourceType<T>;
  /** Indexes by name. Controllers that share a name must share the function. */
  readonly indexes?: { readonly [name: string]: IndexFunction<T> };
}

/** What a reconcile gets with its request. */
export interface ReconcileContext {
  /** Fires when the controller stops or the reconcile times out. Pass it to every call. */
  readonly signal: AbortSignal;
  readonly client: DynamicClient;
  readonly clock: Clock;
  /** Records events with this controller as their source. */
  readonly recorder: EventRecorder;
  /**
   * Requests a reconcile for a reason that no informer sees. It may be called at any time, also after this reconcile, and does nothing once the
   * controller has stopped. Upstream: controller-runtime `source.Channel`.
   */
  readonly enqueue: (request: ReconcileRequest) => void;
  /**
   * Reads the cache, which is complete and may be behind the controller's own writes. Throws a TypeError for kinds that the options do not name
   * in `for`, `owns`, `watches` or `reads`. Objects are shared: change copies only.
   */
  readonly lister: <T extends TypedObject>(resource: ResourceType<T>) => Lister<T>;
  /** Like `lister`, for lookups by index. */
  readonly indexer: <T extends TypedObject>(resource: ResourceType<T>) => Indexer<T>;
}

/**
 * Makes the cluster match what the named object specifies, from any earlier state. An error is reported and the request requeued with backoff;
 * a `TerminalError` is not retried. No two calls for the same request overlap.
 */
export type Reconcile = (request: ReconcileRequest, context: ReconcileContext) => Promise<ReconcileResult | void>;

/** How requests are reconciled. */
export interface ReconcileOptions {
  readonly reconcile: Reconcile;
  /** The number of concurrent reconciles. Default: 1. */
  readonly concurrency?: number;
  /** Creates the limiter that delays retries, once a run. Default: client-go's. */
  readonly rateLimiter?: (clock: Clock) => RateLimiter<string>;
  /** Milliseconds until the signal of a reconcile fires. Default: none. */
  readonly timeout?: number;
}

export interface ControllerOptions<
  T extends TypedObject,
  O extends readonly TypedObject[],
  W extends readonly TypedObject[],
  R extends readonly TypedObject[],
> extends ReconcileOptions {
  /** Unique in a manager. Default: the primary kind in lower case. */
  readonly name?: string;
  /** The primary kind: each of its objects is a request. Without it, requests come only from `watches`. */
  readonly for?: ResourceType<T>;
  /** Filters changes of the primary kind. Default: all pass. */
  readonly predicate?: Predicate<T>;
  readonly owns?: { readonly [K in keyof O]: ResourceType<O[K]> | OwnedKind<O[K]> };
  readonly watches?: { readonly [K in keyof W]: WatchedKind<W[K]> };
  readonly reads?: { readonly [K in keyof R]: ResourceType<R[K]> | ReadKind<R[K]> };
}

/** The dependencies of a controller. The caller owns them: a controller starts, stops and closes none. */
export interface ControllerEnvironment {
  /** For writes, and for reads of the latest state. */
  readonly client: DynamicClient;
  /** Shared by all controllers. The owner starts them before or after controllers are bound. */
  readonly informers: SharedInformerFactory;
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Called with failures that the controller survives, mostly `ReconcileError`s. Must not throw. Default: emits a process warning. */
  readonly report?: (error: unknown) => void;
  /** Records the events of controllers. Default: events are dropped. */
  readonly events?: Pick<EventBroadcaster, 'recorder'> | undefined;
  /** Default: no metrics. */
  readonly metrics?: ControllerObserver | undefined;
}

/** A controller that runs. */
export interface RunningController {
  readonly queue: Pick<WorkQueue<string>, 'length' | 'unfinished'>;
  readonly concurrency: number;
}

/** Receives what metrics count, by the name of the controller. */
export interface ControllerObserver {
  queueObserver(name: string): WorkQueueObserver;
  reconcileObserver?(name: string): ReconcileObserver;
  /** Reads gauges from the queue until disposed. */
  track(name: string, running: RunningController): Disposable;
}

/** A part of a manager that needs an environment to run. */
export interface Component {
  readonly name: string;
  /** Requests what it needs from the environment, and starts nothing. */
  bind(environment: ControllerEnvironment): Runnable;
}
