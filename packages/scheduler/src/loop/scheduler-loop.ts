import { setImmediate as nextIteration } from 'node:timers/promises';
import { onAbort } from '@binnacle/apimachinery/clock';
import { asError } from '@binnacle/apimachinery/errors';
import type { ControlLoop, LoopContext } from '@binnacle/controllers/loop';
import type { EventRecorder } from '@binnacle/client/events';
import { Namespace, Node, Pod } from '@binnacle/client/kinds/core/v1';
import { PodDisruptionBudget } from '@binnacle/client/kinds/policy/v1';
import { makeProfiles, type SchedulerConfiguration } from '../config/index.js';
import { type Outcome, type Profile, schedule } from '../cycle/index.js';
import type { Extender, PodFacts } from '../framework/index.js';
import type { SchedulingQueue } from '../queue/index.js';
import { deviceManager } from './bind-claims.js';
import { volumeBinder } from './bind-volumes.js';
import { Changes } from './changes.js';
import { ClusterCache } from './cluster-cache.js';
import { defaultSelectorCaches, defaultSelectorFrom } from './default-selector.js';
import { DeviceCache, deviceCaches } from './device-cache.js';
import { Outcomes } from './outcomes.js';
import { bindingWriter } from './pod-writes.js';
import { Postponed } from './postponed.js';
import { queueOf } from './queue-of.js';
import { StorageCache, storageCaches } from './storage-cache.js';
import { inShortTurns } from './turns.js';
import { watchCluster } from './watch-cluster.js';
import { WritesInFlight } from './writes-in-flight.js';

/** Upstream: kubernetes `pkg/scheduler`. */
export const createSchedulerLoop = (
  context: LoopContext,
  configuration: SchedulerConfiguration,
  extenders: readonly Extender[] = [],
): ControlLoop => new SchedulerLoop(context, configuration, extenders);

/** Takes pods from the queue, one after the other, and binds them to nodes. */
class SchedulerLoop implements ControlLoop {
  readonly #context: LoopContext;
  /** By the name of the scheduler. */
  readonly #recorders: ReadonlyMap<string, EventRecorder>;
  /** By the name of the scheduler. */
  readonly #profiles: ReadonlyMap<string, Profile>;
  readonly #queue: SchedulingQueue;
  readonly #cache: ClusterCache;
  readonly #changes: Changes;
  readonly #storage: ReturnType<typeof storageCaches>;
  readonly #devices: ReturnType<typeof deviceCaches>;
  /** The snapshot of a cycle must not change until its outcome is entered. */
  readonly #postponed: Postponed;
  readonly #writes: WritesInFlight;
  readonly #outcomes: Outcomes;
  #wake: () => void = () => undefined;
  #firstNode = 0;

  constructor(context: LoopContext, configuration: SchedulerConfiguration, extenders: readonly Extender[]) {
    const { informers, clock } = context;
    this.#context = context;
    this.#postponed = new Postponed(clock);
    this.#changes = new Changes(clock);
    this.#writes = new WritesInFlight(
      (error) => context.report(error),
      () => this.#wake(),
    );
    this.#storage = storageCaches(informers);
    this.#devices = deviceCaches(informers);
    const isClaimUsed = (namespace: string, name: string) => this.#cache.isClaimUsed(namespace, name);
    const storage = new StorageCache(this.#storage, isClaimUsed);
    const binder = volumeBinder({
      client: context.client,
      clock,
      caches: this.#storage,
      storage,
      changes: this.#changes,
      hasPod: (pod) => this.#current(pod) !== undefined,
      node: (name) => this.#cache.node(name)?.node,
    });
    const devices = deviceManager({
      client: context.client,
      clock,
      random: context.random,
      cache: new DeviceCache(this.#devices),
      changes: this.#changes,
      keep: (work) => this.#writes.keep(this.#writes.counted(work)),
      record: ({ pod }, reason, message) => this.#record(pod, 'Normal', reason, message),
    });
    const write = bindingWriter(context.client);
    this.#profiles = makeProfiles(configuration, { write, binder, devices, extenders });
    const names = [...this.#profiles.keys()];
    this.#recorders = new Map(names.map((component) => [component, context.events.recorder({ component })]));
    this.#queue = queueOf(this.#profiles, configuration, clock);
    const namespaces = informers.informer(Namespace).lister;
    const budgets = informers.informer(PodDisruptionBudget).lister;
    this.#cache = new ClusterCache({
      namespaceLabels: (namespace) => namespaces.get(namespace)?.metadata.labels ?? {},
      defaultSelector: defaultSelectorFrom(informers),
      budgets: () => budgets.list(),
      storage,
    });
    this.#outcomes = new Outcomes({
      client: context.client,
      clock,
      cache: this.#cache,
      queue: this.#queue,
      postponed: this.#postponed,
      writes: this.#writes,
      profileOf: (pod) => this.#profileOf(pod),
      current: (pod) => this.#current(pod),
      record: (...event) => this.#record(...event),
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    const handlers = watchCluster(this.#context, {
      cache: this.#cache,
      queue: this.#queue,
      storage: this.#storage,
      devices: this.#devices,
      postponed: this.#postponed,
      changes: this.#changes,
      isScheduled: ({ schedulerName }) => this.#profiles.has(schedulerName),
      wake: () => this.#wake(),
    });
    try {
      await this.#synced(signal);
      while (!signal.aborted) {
        await this.#waitForWork(signal);
        await this.#postponed.hold(() => this.#tryNext(signal));
        // Requests, events and other loops have their turn between two pods.
        await nextIteration();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      for (const handler of handlers) handler[Symbol.dispose]();
      await this.#writes.settled();
    }
  }

  async #synced(signal: AbortSignal): Promise<void> {
    const { informers } = this.#context;
    const caches = [
      informers.informer(Pod),
      informers.informer(Node),
      informers.informer(Namespace),
      informers.informer(PodDisruptionBudget),
      ...defaultSelectorCaches(informers),
      ...Object.values(this.#storage),
      ...Object.values(this.#devices),
    ];
    await Promise.all(caches.map((cache) => cache.synced(signal)));
  }

  /** Resolves when a pod may be active and there is room for its writes. Changes that come meanwhile do not keep an active pod waiting. */
  async #waitForWork(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#settle(signal);
      const wait = this.#writes.hasRoom ? this.#queue.nextActivation() : undefined;
      if (this.#writes.hasRoom && (this.#queue.hasActive || wait === 0)) return;
      if (this.#queue.isSettled) await this.#pause(wait, signal);
    }
  }

  async #settle(signal: AbortSignal): Promise<void> {
    if (this.#queue.isSettled) return;
    await this.#postponed.hold(() => inShortTurns(this.#queue.settle(), this.#context.clock, signal));
  }

  /** Resolves when something has changed, after `milliseconds`, or when the signal fires. */
  async #pause(milliseconds: number | undefined, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const waiting: Disposable[] = [];
      this.#wake = () => {
        for (const each of waiting) each[Symbol.dispose]();
        resolve();
      };
      waiting.push(onAbort(signal, () => this.#wake()));
      if (milliseconds !== undefined) {
        waiting.push(this.#context.clock.setTimer(() => this.#wake(), milliseconds));
      }
    });
  }

  async #tryNext(signal: AbortSignal): Promise<void> {
    const pod = this.#queue.pop();
    if (pod === undefined || signal.aborted) return;
    if (pod.isTerminating) {
      this.#record(pod.pod, 'Warning', 'FailedScheduling', `skip schedule deleting pod: ${pod.namespace}/${pod.name}`);
      return;
    }
    const outcome = await this.#decide(pod, signal);
    signal.throwIfAborted();
    this.#outcomes.enter(pod, outcome, signal);
  }

  async #decide(pod: PodFacts, signal: AbortSignal): Promise<Outcome | Error> {
    const { random, clock } = this.#context;
    const firstNode = this.#firstNode;
    this.#firstNode = (firstNode + 1) % Math.max(1, this.#cache.nodes.length);
    try {
      const cycle = schedule(pod, { profile: this.#profileOf(pod), snapshot: this.#cache, random, firstNode });
      return await inShortTurns(cycle, clock, signal);
    } catch (error) {
      return asError(error);
    }
  }

  /** The queue has only pods of these profiles. */
  #profileOf({ schedulerName }: PodFacts): Profile {
    const profile = this.#profiles.get(schedulerName);
    if (profile === undefined) throw new Error(`no profile has the scheduler name ${JSON.stringify(schedulerName)}`);
    return profile;
  }

  /** The pod as the cache has it; undefined if it is gone. */
  #current({ namespace, name, uid }: PodFacts): Pod | undefined {
    const pod = this.#context.informers.informer(Pod).lister.namespace(namespace).get(name);
    return pod?.metadata.uid === uid ? pod : undefined;
  }

  #record(pod: Pod, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#recorders.get(pod.spec?.schedulerName ?? '')?.event(pod, type, reason, message);
  }
}
