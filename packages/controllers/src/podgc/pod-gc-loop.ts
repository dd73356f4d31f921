import { sleep } from '@binnacle/apimachinery/clock';
import type { SharedInformer } from '@binnacle/client/cache';
import { Node, Pod } from '@binnacle/client/kinds/core/v1';
import { isConflict, isNotFound } from '@binnacle/client/rest';
import { nodeIndexes, nodesWithPods, podsOnNode } from '../common/index.js';
import type { ControlLoop, CreateLoop, LoopContext } from '../loop/index.js';
import { type Collection, isOutOfService, planCollection } from './plan.js';
import { groupsOf, leavingNode, nodesLeft, TERMINATED, UNSCHEDULED } from './pod-groups.js';
import { Quarantine } from './quarantine.js';

/** Upstream: `gcCheckPeriod`. */
const PERIOD_MILLISECONDS = 20_000;
const THRESHOLD = 12_500;
/** The number of pods that are deleted at a time. */
const PARALLEL = 20;

const BY_GROUP = 'podgc';
const indexes = { [BY_GROUP]: groupsOf, ...nodeIndexes };

/** Upstream: kubernetes `pkg/controller/podgc`. */
export const createPodGarbageCollector: CreateLoop = (context) => new PodGarbageCollector(context);

/** Deletes pods that no kubelet will end, and the oldest terminated pods above the threshold. */
class PodGarbageCollector implements ControlLoop {
  readonly #context: LoopContext;
  readonly #pods: SharedInformer<Pod>;
  readonly #nodes: SharedInformer<Node>;
  readonly #quarantine = new Quarantine();

  constructor(context: LoopContext) {
    this.#context = context;
    this.#pods = context.informers.informer(Pod, { indexes });
    this.#nodes = context.informers.informer(Node);
  }

  async run(signal: AbortSignal): Promise<void> {
    try {
      await Promise.all([this.#pods.synced(signal), this.#nodes.synced(signal)]);
      for (;;) {
        await this.#collect(signal);
        await sleep(this.#context.clock, PERIOD_MILLISECONDS, signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #collect(signal: AbortSignal): Promise<void> {
    const { clock, settings } = this.#context;
    const { terminatedPodGcThreshold = THRESHOLD } = settings;
    const { indexer } = this.#pods;
    const podsIn = (group: string) => indexer.byIndex(BY_GROUP, group);
    const missing = nodesWithPods(indexer).filter((name) => this.#nodes.indexer.get(name) === undefined);
    const deleted = await this.#deletedOf(this.#quarantine.due(missing, clock.monotonic()), signal);
    const broken = nodesLeft(indexer.indexValues(BY_GROUP)).filter((name) => {
      const node = this.#nodes.indexer.get(name);
      return node !== undefined && isOutOfService(node);
    });
    const plan = planCollection({
      terminated: podsIn(TERMINATED),
      threshold: terminatedPodGcThreshold === 0 ? Infinity : terminatedPodGcThreshold,
      outOfService: broken.flatMap((name) => podsIn(leavingNode(name))),
      orphaned: deleted.flatMap((name) => podsOnNode(indexer, name)),
      unscheduled: podsIn(UNSCHEDULED),
      now: clock.now(),
    });
    for (let done = 0; done < plan.length && !signal.aborted; done += PARALLEL) {
      await Promise.all(plan.slice(done, done + PARALLEL).map((each) => this.#deletePod(each, signal)));
    }
  }

  /** The nodes among these that the server does not have. */
  async #deletedOf(names: readonly string[], signal: AbortSignal): Promise<string[]> {
    const deleted: string[] = [];
    for (const name of names) {
      try {
        await this.#context.client.resource(Node).get(name, { signal });
      } catch (error) {
        if (isNotFound(error)) deleted.push(name);
        else this.#report(error, signal);
      }
    }
    return deleted;
  }

  /** A failure is reported, and the next round tries again. */
  async #deletePod({ pod, status, isToBeDeleted }: Collection, signal: AbortSignal): Promise<void> {
    const { namespace = '', name = '', uid = '' } = pod.metadata;
    const pods = this.#context.client.resource(Pod).namespace(namespace);
    try {
      if (status !== undefined) {
        await pods.status.patch(name, { type: 'strategic', body: { metadata: { uid }, status } }, { signal });
      }
      if (isToBeDeleted) await pods.delete(name, { gracePeriodSeconds: 0, preconditions: { uid }, signal });
    } catch (error) {
      // The pod is gone, and another one may have its name.
      if (!isNotFound(error) && !isConflict(error)) this.#report(error, signal);
    }
  }

  #report(error: unknown, signal: AbortSignal): void {
    if (!signal.aborted) this.#context.report(error);
  }
}
