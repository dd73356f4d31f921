import { formatTime } from '@binnacle/apimachinery/time';
import { Pod } from '@binnacle/client/kinds/core/v1';
import { findCondition } from '../conditions.js';
import { unlessGone } from '../unless-gone.js';
import type { OwnerContext } from '../writes/index.js';

/** The fields of the condition `DisruptionTarget`. */
export interface EvictionCause {
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
}

/**
 * Sets the condition `DisruptionTarget` and deletes the pod. Both requests name the uid, so they do not hit another pod of the same name. Resolves
 * to false if the pod is gone.
 */
export async function evictPod(
  { writer, clock }: Pick<OwnerContext, 'writer' | 'clock'>,
  pod: Pod,
  cause: EvictionCause,
): Promise<boolean> {
  const before = findCondition(pod.status?.conditions, 'DisruptionTarget');
  const isSet = before?.status === 'True';
  if (!isSet || before.reason !== cause.reason || before.message !== cause.message) {
    const lastTransitionTime = (isSet ? before.lastTransitionTime : undefined) ?? formatTime(clock.now());
    const condition = { type: 'DisruptionTarget', status: 'True', ...cause, lastTransitionTime };
    const body = { metadata: { uid: pod.metadata.uid ?? '' }, status: { conditions: [condition] } };
    if ((await unlessGone(writer.patchStatus(Pod, pod, body))) === undefined) return false;
  }
  return writer.delete(Pod, pod);
}
