import type { SharedInformer } from '../cache/index.js';
import { systemClock } from '@binnacle/apimachinery/clock';
import type { EventRecorder } from '../events/index.js';
import { warnOfError } from '../rest/index.js';
import type { ResourceType, TypedObject } from '../typed/index.js';
import { WorkQueue } from '../workqueue/index.js';
import type {
  Component,
  ControllerEnvironment,
  ControllerOptions,
  ReconcileContext,
  ReconcileOptions,
} from './controller-options.js';
import { changeHandler, type ObjectChange } from './object-change.js';
import { runReconcileLoop } from './reconcile-loop.js';
import { requestKey } from './reconcile-request.js';
import type { Runnable } from './runnable.js';
import { type Source, sourcesOf } from './sources.js';

/** For the initial list and resyncs, which wait for new changes. Upstream: controller-runtime `handler.LowPriority`. */
const LOW_PRIORITY = -100;

/** Calls `reconcile` for changed objects. The README has the guarantees. */
export class Controller<
  T extends TypedObject = TypedObject,
  O extends readonly TypedObject[] = readonly TypedObject[],
  W extends readonly TypedObject[] = readonly TypedObject[],
  R extends readonly TypedObject[] = readonly TypedObject[],
> implements Component
{
  readonly name: string;
  readonly #options: ReconcileOptions;
  readonly #sources: readonly Source[];

  /** Throws a TypeError for inconsistent options. */
  constructor(options: ControllerOptions<T, O, W, R>) {
    const name = options.name ?? options.for?.kind.toLowerCase();
    if (name === undefined) throw new TypeError('a controller without "for" needs a name');
    const { concurrency = 1 } = options;
    if (!Number.isInteger(concurrency) || concurrency < 1) throw new TypeError('concurrency must be 1 or more');
    this.name = name;
    this.#options = options;
    // Each source gets only objects of its own kind, since its informer reads that kind.
    this.#sources = sourcesOf(options as unknown as Parameters<typeof sourcesOf>[0]);
  }

  /** Requests its informers from the environment, whose owner starts them. The result may run again after it has ended. */
  bind(environment: ControllerEnvironment): Runnable {
    return new BoundController(this.name, this.#sources, this.#options, environment);
  }
}

/** A controller in an environment. Each run starts with a request for every existing object. */
class BoundController implements Runnable {
  readonly name: string;
  readonly #sources: readonly Source[];
  readonly #options: ReconcileOptions;
  readonly #environment: ControllerEnvironment;
  readonly #recorder: EventRecorder;
  /** By {@link keyOf} of their resources. */
  readonly #informers = new Map<string, SharedInformer<TypedObject>>();

  constructor(name: string, sources: readonly Source[], options: ReconcileOptions, environment: ControllerEnvironment) {
    this.name = name;
    this.#sources = sources;
    this.#options = options;
    this.#environment = environment;
    this.#recorder = environment.events?.recorder({ component: name }) ?? { event: () => undefined };
    for (const { resource, select, indexes = {} } of sources) {
      const informer = environment.informers.informer(resource, { ...select, indexes });
      const known = this.#informers.get(keyOf(resource));
      if (known !== undefined && known !== informer) {
        throw new TypeError(`controller ${name} selects two different sets of ${resource.plural}`);
      }
      this.#informers.set(keyOf(resource), informer);
    }
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock = systemClock, report = warnOfError, metrics } = this.#environment;
    const { reconcile, concurrency = 1, rateLimiter, timeout } = this.#options;
    const observer = metrics?.queueObserver(this.name);
    const queue = new WorkQueue<string>({ clock, rateLimiter: rateLimiter?.(clock), observer });
    using _ = metrics?.track(this.name, { queue, concurrency });
    const handlers = this.#sources.flatMap((source) => this.#feed(queue, source));
    try {
      if (!(await this.#synced(signal))) return;
      await runReconcileLoop(
        {
          name: this.name,
          queue,
          reconcile: (request, signal) => reconcile(request, this.#context(queue, signal)),
          concurrency,
          timeout,
          clock,
          report,
          observer: metrics?.reconcileObserver?.(this.name),
        },
        signal,
      );
    } finally {
      for (const handler of handlers) handler[Symbol.dispose]();
      queue.shutDown();
    }
  }

  #feed(queue: WorkQueue<string>, { resource, requests, delay = 0 }: Source): Disposable[] {
    if (requests === undefined) return [];
    const onChange = (change: ObjectChange<TypedObject>) => {
      const priority = isNewChange(change) ? 0 : LOW_PRIORITY;
      // Without the set, a worker might take a key at once and get it a second time.
      for (const key of new Set(Array.from(requests(change), requestKey))) {
        if (delay > 0) queue.addAfter(key, delay, { priority });
        else queue.add(key, { priority });
      }
    };
    return [this.#informer(resource).addHandler(changeHandler(onChange))];
  }

  /** Resolves to false if the signal fires first. */
  async #synced(signal: AbortSignal): Promise<boolean> {
    try {
      await Promise.all([...this.#informers.values()].map((informer) => informer.synced(signal)));
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return !signal.aborted;
  }

  #context(queue: WorkQueue<string>, signal: AbortSignal): ReconcileContext {
    const { client, clock = systemClock } = this.#environment;
    return {
      signal,
      client,
      clock,
      recorder: this.#recorder,
      enqueue: (request) => queue.add(requestKey(request)),
      lister: (resource) => this.#informer(resource).lister,
      indexer: (resource) => this.#informer(resource).indexer,
    };
  }

  #informer<T extends TypedObject>(resource: ResourceType<T>): SharedInformer<T> {
    const informer = this.#informers.get(keyOf(resource));
    if (informer === undefined) {
      throw new TypeError(
        `controller ${this.name} reads ${resource.plural} from the cache without naming them in "reads"`,
      );
    }
    // The informer was requested for this resource, whose objects have this type.
    return informer as unknown as SharedInformer<T>;
  }
}

function keyOf({ group, version, plural }: ResourceType): string {
  return `${plural}.${version}.${group}`;
}

function isNewChange(change: ObjectChange<TypedObject>): boolean {
  return change.type === 'create' ? !change.isInInitialList : change.type !== 'resync';
}
