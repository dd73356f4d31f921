import { isConflict, isNotFound } from '@binnacle/client/rest';
import type { DynamicClient } from '@binnacle/client/dynamic';
import { Pod } from '@binnacle/client/kinds/core/v1';
import type { Clock } from '@binnacle/apimachinery/clock';
import type { PodFacts } from '../framework/index.js';
import { statusPatch } from './status-patch.js';

interface Preemption {
  readonly client: DynamicClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly schedulerName: string;
  readonly preemptor: PodFacts;
  readonly node: string;
  readonly record: (victim: Pod, message: string) => void;
}

/** Ends pods to make room for another one. Upstream: kubernetes `pkg/scheduler/framework/preemption`. */
export async function endVictims(victims: readonly PodFacts[], preemption: Preemption): Promise<void> {
  const results = await Promise.allSettled(
    victims.filter(({ isTerminating }) => !isTerminating).map((victim) => endVictim(victim, preemption)),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** A victim that is gone, or has been replaced by a pod of its name, is success. */
async function endVictim({ pod, namespace, name, uid }: PodFacts, preemption: Preemption): Promise<void> {
  const { client, clock, signal, schedulerName, preemptor, node, record } = preemption;
  const pods = client.resource(Pod).namespace(namespace);
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'PreemptionByScheduler',
    message: `${schedulerName}: preempting to accommodate a higher priority pod`,
  };
  const body = statusPatch(pod, { condition }, clock.now());
  try {
    if (body !== undefined) await pods.status.patch(name, { type: 'strategic', body }, { signal });
    await pods.delete(name, { preconditions: { uid }, signal });
    record(pod, `Preempted by pod ${preemptor.uid} on node ${node}`);
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
