import type { Clock } from '@binnacle/apimachinery/clock';
import type { DynamicClient } from '@binnacle/client/dynamic';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import type { Diagnosis, Outcome, Profile } from '../cycle/index.js';
import { type Attempt, isRejected, messageOfStatus, type PodFacts, type Status } from '../framework/index.js';
import type { SchedulingQueue } from '../queue/index.js';
import { bindPod, prepareBinding, reserve, unreserve } from './bind-pod.js';
import type { ClusterCache } from './cluster-cache.js';
import { endVictims } from './end-victims.js';
import { type CurrentPod, PodStatuses } from './pod-writes.js';
import type { Postponed } from './postponed.js';
import type { WritesInFlight } from './writes-in-flight.js';

/** The longest message of an event. Upstream: `NoteLengthLimit`. */
const LONGEST_NOTE = 1024;

/** Records an event of a pod. */
export type RecordEvent = (pod: Pod, type: 'Normal' | 'Warning', reason: string, message: string) => void;

export interface OutcomesOptions {
  readonly client: DynamicClient;
  readonly clock: Clock;
  readonly cache: ClusterCache;
  readonly queue: SchedulingQueue;
  readonly postponed: Postponed;
  readonly writes: WritesInFlight;
  readonly profileOf: (pod: PodFacts) => Profile;
  readonly current: CurrentPod;
  readonly record: RecordEvent;
}

/** Applies the outcomes of scheduling cycles to the cache, the queue, and objects on the server. */
export class Outcomes {
  readonly #options: OutcomesOptions;
  readonly #statuses: PodStatuses;

  constructor(options: OutcomesOptions) {
    this.#options = options;
    this.#statuses = new PodStatuses(options.client, options.clock, options.current);
  }

  /** Enters the outcome in the cache and the queue at once. Only writes continue after it returns. */
  enter(pod: PodFacts, outcome: Outcome | Error, signal: AbortSignal): void {
    if (outcome instanceof Error) {
      this.#options.queue.retry(pod.uid);
      this.#fail(pod, { reason: 'SchedulerError', message: outcome.message }, signal);
    } else if ('diagnosis' in outcome) this.#putBack(pod, outcome.diagnosis, signal);
    else this.#place(pod, outcome.attempt, outcome.node, signal);
  }

  #place(pod: PodFacts, attempt: Attempt, node: string, signal: AbortSignal): void {
    const { cache, writes, profileOf } = this.#options;
    cache.endNomination(pod.uid);
    cache.setPod(pod, node);
    const reserved = reserve(profileOf(pod), attempt, node);
    if (reserved.code === 'Success') writes.keep(this.#bind(pod, attempt, node, signal));
    else this.#release(pod, reserved, signal);
  }

  async #bind(pod: PodFacts, attempt: Attempt, node: string, signal: AbortSignal): Promise<void> {
    const { clock, writes, profileOf, postponed, current, record } = this.#options;
    const profile = profileOf(pod);
    const prepared = await prepareBinding(profile, attempt, node, { clock, signal });
    const status =
      prepared.code === 'Success' ? await writes.counted(() => bindPod(profile, attempt, node, signal)) : prepared;
    if (status.code === 'Success') {
      record(pod.pod, 'Normal', 'Scheduled', `Successfully assigned ${pod.namespace}/${pod.name} to ${node}`);
      return;
    }
    if (signal.aborted) return;
    postponed.run(() => {
      unreserve(profile, attempt, node);
      // A pod with a node is bound: the answer was lost, or another scheduler was faster.
      if ((current(pod)?.spec?.nodeName ?? '') === '') this.#release(pod, status, signal);
    });
  }

  /** Frees the room of a pod that was not bound. */
  #release(pod: PodFacts, status: Status, signal: AbortSignal): void {
    const { cache, queue } = this.#options;
    cache.deletePod(pod.uid);
    const { plugin = '' } = status;
    if (isRejected(status)) queue.putBack(pod.uid, new Set([plugin]));
    else queue.retry(pod.uid);
    queue.notice({ resource: 'AssignedPod', action: 'Delete', before: pod.pod }, pod.uid);
    const reason = isRejected(status) ? 'Unschedulable' : 'SchedulerError';
    this.#fail(pod, { reason, message: messageOfStatus(status) }, signal);
  }

  #putBack(pod: PodFacts, diagnosis: Diagnosis, signal: AbortSignal): void {
    const { message, rejectedBy, nominatedNode, victims } = diagnosis;
    this.#options.queue.putBack(pod.uid, rejectedBy);
    if (nominatedNode !== undefined) this.#options.cache.nominate(pod, nominatedNode);
    this.#fail(pod, { reason: 'Unschedulable', message, nominatedNode }, signal);
    if (victims.length > 0 && nominatedNode !== undefined) this.#preempt(pod, victims, nominatedNode, signal);
  }

  #preempt(preemptor: PodFacts, victims: readonly PodFacts[], node: string, signal: AbortSignal): void {
    const { client, clock, cache, writes } = this.#options;
    const record = (victim: Pod, message: string) => this.#options.record(victim, 'Normal', 'Preempted', message);
    for (const other of cache.nominated(node)) {
      if (other.priority >= preemptor.priority) continue;
      cache.nominate(other, '');
      writes.keep(writes.counted(() => this.#statuses.patch(other, { nominatedNode: '' }, signal)));
    }
    const { schedulerName } = preemptor;
    const preemption = { client, clock, signal, schedulerName, preemptor, node, record };
    writes.keep(writes.counted(() => endVictims(victims, preemption)));
  }

  #fail(
    pod: PodFacts,
    { reason, message, nominatedNode }: { reason: string; message: string; nominatedNode?: string | undefined },
    signal: AbortSignal,
  ): void {
    const { current, record, writes } = this.#options;
    if (current(pod) === undefined) return;
    record(pod.pod, 'Warning', 'FailedScheduling', shortened(message));
    const condition = { type: 'PodScheduled', status: 'False', reason, message };
    writes.keep(writes.counted(() => this.#statuses.patch(pod, { condition, nominatedNode }, signal)));
  }
}

function shortened(message: string): string {
  const suffix = ' ...';
  return message.length <= LONGEST_NOTE ? message : message.slice(0, LONGEST_NOTE - suffix.length) + suffix;
}
