import { setImmediate as nextIteration } from 'node:timers/promises';
import { type Clock, onAbort } from '@binnacle/apimachinery/clock';
import { asError } from '@binnacle/apimachinery/errors';
import type { ControlLoop, LoopContext } from '@binnacle/controllers/loop';
import type { EventRecorder } from '@binnacle/client/events';
import { Binding, Namespace, Node, Pod } from '@binnacle/client/kinds/core/v1';
import { PodDisruptionBudget } from '@binnacle/client/kinds/policy/v1';
import { isConflict, isNotFound } from '@binnacle/client/rest';
import { makeProfiles, type SchedulerConfiguration } from '../config/index.js';
import { type Diagnosis, type Outcome, type Profile, schedule } from '../cycle/index.js';
import {
  type Attempt,
  type Extender,
  isRejected,
  messageOfStatus,
  type PodFacts,
  type Status,
} from '../framework/index.js';
import type { WriteBinding } from '../plugins/index.js';
import { type QueueProfile, SchedulingQueue } from '../queue/index.js';
import { bindPod, prepareBinding, reserve, unreserve } from './bind-pod.js';
import { volumeBinder } from './bind-volumes.js';
import { Changes } from './changes.js';
import { ClusterCache } from './cluster-cache.js';
import { deviceManager } from './bind-claims.js';
import { DeviceCache, deviceCaches } from './device-cache.js';
import { endVictims } from './end-victims.js';
import { defaultSelectorCaches, defaultSelectorFrom } from './default-selector.js';
import { LatestWrites } from './latest-writes.js';
import { laterChange, type StatusChange, statusPatch } from './status-patch.js';
import { Postponed } from './postponed.js';
import { StorageCache, storageCaches } from './storage-cache.js';
import { inShortTurns } from './turns.js';
import { watchCluster } from './watch-cluster.js';

/** The most bindings and other writes in flight. Beyond that, pods wait in the queue. */
const MOST_WRITES = 200;
/** The longest message of an event. Upstream: `NoteLengthLimit`. */
const LONGEST_NOTE = 1024;

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
  /** All work that runs beside the cycles. */
  readonly #work = new Set<Promise<void>>();
  readonly #statuses = new LatestWrites<StatusChange>(laterChange);
  /** Requests on their way. Pods that wait for their volumes are not among them. */
  #writes = 0;
  #wake: () => void = () => undefined;
  #firstNode = 0;

  constructor(context: LoopContext, configuration: SchedulerConfiguration, extenders: readonly Extender[]) {
    const { informers, clock } = context;
    this.#context = context;
    this.#postponed = new Postponed(clock);
    this.#changes = new Changes(clock);
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
      keep: (work) => this.#keep(this.#counted(work)),
      record: ({ pod }, reason, message) => this.#record(pod, 'Normal', reason, message),
    });
    this.#profiles = makeProfiles(configuration, { write: this.#writeBinding, binder, devices, extenders });
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
      await Promise.all(this.#work);
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
      const wait = this.#writes < MOST_WRITES ? this.#queue.nextActivation() : undefined;
      if (this.#writes < MOST_WRITES && (this.#queue.hasActive || wait === 0)) return;
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
    await this.#attempt(pod, signal);
  }

  /** Enters the outcome in the cache and the queue at once. Only writes continue after it returns. */
  async #attempt(pod: PodFacts, signal: AbortSignal): Promise<void> {
    const outcome = await this.#decide(pod, signal);
    signal.throwIfAborted();
    if (outcome instanceof Error) {
      this.#queue.retry(pod.uid);
      this.#fail(pod, { reason: 'SchedulerError', message: outcome.message }, signal);
    } else if ('diagnosis' in outcome) this.#putBack(pod, outcome.diagnosis, signal);
    else this.#place(pod, outcome.attempt, outcome.node, signal);
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

  #place(pod: PodFacts, attempt: Attempt, node: string, signal: AbortSignal): void {
    this.#cache.endNomination(pod.uid);
    this.#cache.setPod(pod, node);
    const reserved = reserve(this.#profileOf(pod), attempt, node);
    if (reserved.code === 'Success') this.#keep(this.#bind(pod, attempt, node, signal));
    else this.#release(pod, reserved, signal);
  }

  async #bind(pod: PodFacts, attempt: Attempt, node: string, signal: AbortSignal): Promise<void> {
    const { clock } = this.#context;
    const profile = this.#profileOf(pod);
    const prepared = await prepareBinding(profile, attempt, node, { clock, signal });
    const status =
      prepared.code === 'Success' ? await this.#counted(() => bindPod(profile, attempt, node, signal)) : prepared;
    if (status.code === 'Success') {
      const message = `Successfully assigned ${pod.namespace}/${pod.name} to ${node}`;
      this.#record(pod.pod, 'Normal', 'Scheduled', message);
      return;
    }
    if (signal.aborted) return;
    this.#postponed.run(() => {
      unreserve(this.#profileOf(pod), attempt, node);
      // A pod with a node is bound: the answer was lost, or another scheduler was faster.
      if ((this.#current(pod)?.spec?.nodeName ?? '') === '') this.#release(pod, status, signal);
    });
  }

  /** Frees the room of a pod that was not bound. */
  #release(pod: PodFacts, status: Status, signal: AbortSignal): void {
    this.#cache.deletePod(pod.uid);
    const { plugin = '' } = status;
    if (isRejected(status)) this.#queue.putBack(pod.uid, new Set([plugin]));
    else this.#queue.retry(pod.uid);
    this.#queue.notice({ resource: 'AssignedPod', action: 'Delete', before: pod.pod }, pod.uid);
    const reason = isRejected(status) ? 'Unschedulable' : 'SchedulerError';
    this.#fail(pod, { reason, message: messageOfStatus(status) }, signal);
  }

  #putBack(pod: PodFacts, diagnosis: Diagnosis, signal: AbortSignal): void {
    const { message, rejectedBy, nominatedNode, victims } = diagnosis;
    this.#queue.putBack(pod.uid, rejectedBy);
    if (nominatedNode !== undefined) this.#cache.nominate(pod, nominatedNode);
    this.#fail(pod, { reason: 'Unschedulable', message, nominatedNode }, signal);
    if (victims.length > 0 && nominatedNode !== undefined) this.#preempt(pod, victims, nominatedNode, signal);
  }

  #preempt(preemptor: PodFacts, victims: readonly PodFacts[], node: string, signal: AbortSignal): void {
    const { client, clock } = this.#context;
    const record = (victim: Pod, message: string) => this.#record(victim, 'Normal', 'Preempted', message);
    for (const other of this.#cache.nominated(node)) {
      if (other.priority >= preemptor.priority) continue;
      this.#cache.nominate(other, '');
      this.#keep(this.#counted(() => this.#patchStatus(other, { nominatedNode: '' }, signal)));
    }
    const { schedulerName } = preemptor;
    const preemption = { client, clock, signal, schedulerName, preemptor, node, record };
    this.#keep(this.#counted(() => endVictims(victims, preemption)));
  }

  #fail(
    pod: PodFacts,
    { reason, message, nominatedNode }: { reason: string; message: string; nominatedNode?: string | undefined },
    signal: AbortSignal,
  ): void {
    if (this.#current(pod) === undefined) return;
    this.#record(pod.pod, 'Warning', 'FailedScheduling', shortened(message));
    const condition = { type: 'PodScheduled', status: 'False', reason, message };
    this.#keep(this.#counted(() => this.#patchStatus(pod, { condition, nominatedNode }, signal)));
  }

  #patchStatus(pod: PodFacts, change: StatusChange, signal: AbortSignal): Promise<void> {
    return this.#statuses.write(pod.uid, change, (latest) => this.#writeStatus(pod, latest, signal));
  }

  async #writeStatus(pod: PodFacts, change: StatusChange, signal: AbortSignal): Promise<void> {
    const { client, clock } = this.#context;
    const body = statusPatch(this.#current(pod) ?? pod.pod, change, clock.now());
    if (body === undefined) return;
    try {
      await client
        .resource(Pod)
        .namespace(pod.namespace)
        .status.patch(pod.name, { type: 'strategic', body }, { signal });
    } catch (error) {
      // The pod is gone, and another one may have its name.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  readonly #writeBinding: WriteBinding = async ({ namespace, name, uid }, node, signal) => {
    const target = { apiVersion: 'v1', kind: 'Node', name: node };
    const pods = this.#context.client.resource(Pod).namespace(namespace);
    await pods
      .subresource<Binding>('binding', Binding)
      .create(name, { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace, uid }, target }, { signal });
  };

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

  async #counted<T>(write: () => Promise<T>): Promise<T> {
    this.#writes++;
    try {
      return await write();
    } finally {
      this.#writes--;
      this.#wake();
    }
  }

  /** Waits for this work when the loop ends. Its failures are reported. */
  #keep(work: Promise<void>): void {
    const kept = work.catch((error: unknown) => this.#context.report(error)).finally(() => this.#work.delete(kept));
    this.#work.add(kept);
  }
}

/** The order of the pods is the same in all profiles. */
function queueOf(
  profiles: ReadonlyMap<string, Profile>,
  { podInitialBackoffMs, podMaxBackoffMs }: SchedulerConfiguration,
  clock: Clock,
): SchedulingQueue {
  const [sort] = [...profiles.values()].flatMap((profile) => profile.with('compare'));
  const ofQueue = new Map(
    [...profiles].map(([name, profile]): [string, QueueProfile] => [
      name,
      { gates: profile.with('preEnqueue'), plugin: (plugin) => profile.plugin(plugin) },
    ]),
  );
  return new SchedulingQueue({
    clock,
    compare: (a, b) => sort?.compare?.(a, b) ?? 0,
    profileOf: ({ schedulerName }) => ofQueue.get(schedulerName),
    initialBackoff: podInitialBackoffMs,
    longestBackoff: podMaxBackoffMs,
  });
}

function shortened(message: string): string {
  const suffix = ' ...';
  return message.length <= LONGEST_NOTE ? message : message.slice(0, LONGEST_NOTE - suffix.length) + suffix;
}
