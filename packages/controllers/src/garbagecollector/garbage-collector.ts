import { formatGroupResource } from '@binnacle/apimachinery/meta';
import type { ReflectorState } from '@binnacle/client/cache';
import { sleep } from '@binnacle/client/clock';
import { ReconcileError } from '@binnacle/client/controller';
import type { ApiResource } from '@binnacle/client/discovery';
import { ApiSink, EventBroadcaster } from '@binnacle/client/events';
import { isNotFound } from '@binnacle/client/rest';
import { WorkQueue } from '@binnacle/client/workqueue';
import type { ControlLoop, CreateLoop, LoopContext } from '../loop/index.js';
import { Collector } from './collector.js';
import { defines } from './definitions.js';
import type { Consequences, Misplaced } from './consequences.js';
import { DependencyGraph } from './graph.js';
import { ResourceWatches } from './resource-watches.js';
import { type ServedKinds, UnservedKindError } from './served-kinds.js';
import { ServerObjects } from './server-objects.js';
import { Survey } from './survey.js';

const REPORTER = { component: 'garbage-collector-controller' };
/** Upstream: `ConcurrentGCSyncs`. */
const WORKERS = 20;
/** Upstream: the same. */
const PATIENCE_MILLISECONDS = 30_000;

/** Deletes objects all of whose owners are gone, and sees to what those that are being deleted wait for. */
class GarbageCollector implements ControlLoop {
  readonly #context: LoopContext;
  readonly #graph = new DependencyGraph();
  readonly #queue: WorkQueue<string>;
  readonly #watches: ResourceWatches;
  readonly #survey: Survey;
  readonly #collector: Collector;
  readonly #events: EventBroadcaster;
  readonly #surveyed: Promise<void>;
  #markSurveyed: () => void = () => undefined;

  constructor(context: LoopContext) {
    const { client, discovery, clock, report } = context;
    this.#context = context;
    this.#queue = new WorkQueue<string>({ clock });
    const follow = (consequences: Consequences) => this.#follow(consequences);
    this.#survey = new Survey({
      discovery,
      clock,
      adopt: async (kinds) => this.#adopt(kinds),
      onError: (error, failures) => this.#report('discovery', error, failures),
    });
    const onError = (error: unknown, resource: ApiResource, state: ReflectorState) =>
      this.#missed(error, resource, state);
    this.#watches = new ResourceWatches({ client, graph: this.#graph, clock, follow, onError, listener: this.#survey });
    this.#collector = new Collector(this.#graph, new ServerObjects(client, () => this.#survey.kinds, clock), follow);
    this.#events = new EventBroadcaster([new ApiSink(client, { clock })], { clock, onError: report });
    this.#surveyed = new Promise((resolve) => {
      this.#markSurveyed = resolve;
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#queue.shutDown(), { once: true });
    const surveying = this.#survey.run(signal);
    await this.#synced(signal);
    await Promise.all([surveying, ...Array.from({ length: WORKERS }, async () => this.#work(signal))]);
    await this.#watches.stop();
    await this.#events.shutDown();
  }

  /** Before the graph knows everything, everything looks lost. Some resources may never be listed: they are not waited for for ever. */
  async #synced(signal: AbortSignal): Promise<void> {
    const enough = new AbortController();
    const patience = sleep(this.#context.clock, PATIENCE_MILLISECONDS, AbortSignal.any([signal, enough.signal]));
    const synced = this.#surveyed.then(async () => this.#watches.synced());
    await Promise.race([synced, patience.catch(() => undefined)]);
    enough.abort();
  }

  async #adopt(kinds: ServedKinds): Promise<void> {
    await this.#watches.adopt(kinds);
    for (const uid of this.#graph.uncertain()) this.#queue.add(uid);
    this.#markSurveyed();
  }

  #follow({ suspects, misplaced }: Consequences): void {
    for (const uid of suspects) this.#queue.add(uid);
    for (const each of misplaced) this.#warn(each);
  }

  #warn({ dependent, reference }: Misplaced): void {
    const { apiVersion, kind, name, uid } = reference;
    const { namespace, ...others } = dependent;
    const subject = namespace === '' ? others : dependent;
    const owner = `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
    const message = `ownerRef ${owner} does not exist in namespace ${JSON.stringify(namespace)}`;
    this.#events.recorder(REPORTER).event(subject, 'Warning', 'OwnerRefInvalidNamespace', message);
  }

  #missed(error: unknown, { resource }: ApiResource, { failures }: ReflectorState): void {
    const name = formatGroupResource(resource);
    if (isNotFound(error) || defines(name)) this.#survey.request();
    this.#report(name, error, failures);
  }

  async #work(stop: AbortSignal): Promise<void> {
    // Each worker listens to a signal of its own.
    const signal = AbortSignal.any([stop]);
    for (;;) {
      const uid = await this.#queue.get();
      if (uid === undefined || signal.aborted) return;
      const again = await this.#look(uid, signal);
      if (again) this.#queue.addRateLimited(uid);
      else this.#queue.forget(uid);
      this.#queue.done(uid);
    }
  }

  /** Whether to look again later. */
  async #look(uid: string, signal: AbortSignal): Promise<boolean> {
    try {
      return await this.#collector.look(uid, signal);
    } catch (error) {
      // Looked at again when other kinds are served.
      if (error instanceof UnservedKindError) return false;
      // Not the object is unknown to the server, but the path to it.
      if (isNotFound(error)) this.#survey.request();
      const { namespace = '', name = uid } = this.#graph.node(uid)?.identity ?? {};
      if (!signal.aborted) this.#report(name, error, this.#queue.retries(uid) + 1, namespace);
      return true;
    }
  }

  /** All is tried again; whether it has failed for long enough to be told, the manager knows. */
  #report(name: string, cause: unknown, failures: number, namespace = ''): void {
    const { component } = REPORTER;
    this.#context.report(new ReconcileError(component, { namespace, name }, { cause, failures, willRetry: true }));
  }
}

export const createGarbageCollector: CreateLoop = (context) => new GarbageCollector(context);
