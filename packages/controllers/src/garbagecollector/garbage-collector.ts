import { formatGroupResource } from '@binnacle/apimachinery/meta';
import type { ReflectorState } from '@binnacle/client/cache';
import { sleep } from '@binnacle/apimachinery/clock';
import { pause } from '@binnacle/apimachinery/turns';
import { ReconcileError } from '@binnacle/client/controller';
import type { ApiResource } from '@binnacle/client/discovery';
import { ApiSink, EventBroadcaster } from '@binnacle/client/events';
import { isNotFound } from '@binnacle/client/rest';
import { WorkQueue } from '@binnacle/client/workqueue';
import type { ControlLoop, CreateLoop, LoopContext } from '../loop/index.js';
import { CandidateProcessor } from './candidate-processor.js';
import { definesKinds, DiscoveryRefresher } from './discovery-refresher.js';
import { type CrossNamespaceReference, DependencyGraph, type Effects } from './graph.js';
import { ServerObjects } from './live-objects.js';
import { ResourceMonitors } from './resource-monitors.js';
import { type ServedKinds, UnservedKindError } from './served-kinds.js';

const REPORTER = { component: 'garbage-collector-controller' };
/** Upstream has a queue of orphans and one of changes, too. */
const QUEUE = 'garbage_collector_attempt_to_delete';
/** Upstream: `ConcurrentGCSyncs`. */
const WORKERS = 20;
/** Upstream: `initialSyncTimeout`. */
const INITIAL_SYNC_TIMEOUT_MILLISECONDS = 30_000;

/** Deletes objects whose owners are all deleted, and removes the finalizers of foreground and orphan deletion. */
class GarbageCollector implements ControlLoop {
  readonly #context: LoopContext;
  readonly #graph = new DependencyGraph();
  readonly #queue: WorkQueue<string>;
  readonly #monitors: ResourceMonitors;
  readonly #refresher: DiscoveryRefresher;
  readonly #processor: CandidateProcessor;
  readonly #events: EventBroadcaster;
  readonly #discovered: Promise<void>;
  #markDiscovered: () => void = () => undefined;

  constructor(context: LoopContext) {
    const { client, discovery, clock, random, report, metrics } = context;
    this.#context = context;
    this.#queue = new WorkQueue<string>({ clock, observer: metrics?.queueObserver(QUEUE) });
    const onEffects = (effects: Effects) => this.#handle(effects);
    const refresher = new DiscoveryRefresher({
      discovery,
      clock,
      onChange: async (kinds) => this.#onServedKinds(kinds),
      onError: (error, failures) => this.#report('discovery', error, failures),
    });
    this.#refresher = refresher;
    const onError = (error: unknown, resource: ApiResource, state: ReflectorState) =>
      this.#onWatchError(error, resource, state);
    this.#monitors = new ResourceMonitors({
      client,
      graph: this.#graph,
      clock,
      random,
      onEffects,
      onError,
      listener: refresher,
    });
    const live = new ServerObjects(client, () => refresher.kinds, context);
    this.#processor = new CandidateProcessor(this.#graph, live, onEffects);
    this.#events = new EventBroadcaster([new ApiSink(client, { clock, random })], { clock, random, onError: report });
    this.#discovered = new Promise((resolve) => {
      this.#markDiscovered = resolve;
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#queue.shutDown(), { once: true });
    using _ = this.#context.metrics?.track(QUEUE, { queue: this.#queue, concurrency: WORKERS });
    const refreshing = this.#refresher.run(signal);
    await this.#synced(signal);
    await Promise.all([refreshing, ...Array.from({ length: WORKERS }, async () => this.#work(signal))]);
    await this.#monitors.stop();
    await this.#events.shutDown();
  }

  /** Waits until the graph is complete, since until then many owners are unknown. The timeout covers resources that cannot be listed. */
  async #synced(signal: AbortSignal): Promise<void> {
    const done = new AbortController();
    const { clock } = this.#context;
    const timeout = sleep(clock, INITIAL_SYNC_TIMEOUT_MILLISECONDS, AbortSignal.any([signal, done.signal]));
    const synced = this.#discovered.then(async () => this.#monitors.synced());
    await Promise.race([synced, timeout.catch(() => undefined)]);
    done.abort();
  }

  async #onServedKinds(kinds: ServedKinds): Promise<void> {
    await this.#monitors.sync(kinds);
    for (const uid of this.#graph.unresolved()) this.#queue.add(uid);
    this.#markDiscovered();
  }

  #handle({ candidates, crossNamespace }: Effects): void {
    for (const uid of candidates) this.#queue.add(uid);
    for (const each of crossNamespace) this.#warn(each);
  }

  #warn({ dependent, reference }: CrossNamespaceReference): void {
    const { apiVersion, kind, name, uid } = reference;
    const { namespace, ...others } = dependent;
    const subject = namespace === '' ? others : dependent;
    const owner = `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
    const message = `ownerRef ${owner} does not exist in namespace ${JSON.stringify(namespace)}`;
    this.#events.recorder(REPORTER).event(subject, 'Warning', 'OwnerRefInvalidNamespace', message);
  }

  #onWatchError(error: unknown, { resource }: ApiResource, { failures }: ReflectorState): void {
    const name = formatGroupResource(resource);
    if (isNotFound(error) || definesKinds(name)) this.#refresher.request();
    this.#report(name, error, failures);
  }

  async #work(stop: AbortSignal): Promise<void> {
    // A signal for each worker, as Node warns of many listeners on one signal.
    const signal = AbortSignal.any([stop]);
    for (;;) {
      // Thousands of nodes may need no request, such as owners of kinds that are not served.
      await pause();
      const uid = await this.#queue.get();
      if (uid === undefined || signal.aborted) return;
      const again = await this.#process(uid, signal);
      if (again) this.#queue.addRateLimited(uid);
      else this.#queue.forget(uid);
      this.#queue.done(uid);
    }
  }

  /** Whether to process the node again later. */
  async #process(uid: string, signal: AbortSignal): Promise<boolean> {
    try {
      return await this.#processor.process(uid, signal);
    } catch (error) {
      // A change of the served kinds adds it to the queue again.
      if (error instanceof UnservedKindError) return false;
      // A NotFound that the processor throws is about the path, so discovery is stale.
      if (isNotFound(error)) this.#refresher.request();
      const { namespace = '', name = uid } = this.#graph.node(uid)?.identity ?? {};
      if (!signal.aborted) this.#report(name, error, this.#queue.retries(uid) + 1, namespace);
      return true;
    }
  }

  /** Everything is retried. The manager decides which failures have lasted long enough to report. */
  #report(name: string, cause: unknown, failures: number, namespace = ''): void {
    const { component } = REPORTER;
    this.#context.report(new ReconcileError(component, { namespace, name }, { cause, failures, willRetry: true }));
  }
}

export const createGarbageCollector: CreateLoop = (context) => new GarbageCollector(context);
