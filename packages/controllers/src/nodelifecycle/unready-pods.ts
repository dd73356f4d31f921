import { formatTime } from '@binnacle/apimachinery/time';
import type { EventRecorder } from '@binnacle/client/events';
import { Pod } from '@binnacle/client/kinds/core/v1';
import { findCondition, unlessGone, type Writer } from '../common/index.js';

/** The pod with a false condition Ready, since its node is silent; undefined if it is not ready already. */
function unreadyPod(pod: Pod, now: number): Pod | undefined {
  const conditions = pod.status?.conditions ?? [];
  const ready = findCondition(conditions, 'Ready');
  if (ready === undefined || ready.status === 'False') return undefined;
  const unready = { ...ready, status: 'False', lastTransitionTime: formatTime(now) } as const;
  return { ...pod, status: { ...pod.status, conditions: conditions.map((each) => (each === ready ? unready : each)) } };
}

/** Makes a pod of a silent node unready. A pod that has gone is not a failure. */
export async function markUnready(
  pod: Pod,
  now: number,
  { writer, recorder }: { readonly writer: Writer; readonly recorder: EventRecorder },
): Promise<void> {
  const unready = unreadyPod(pod, now);
  if (unready === undefined) return;
  if ((await unlessGone(writer.updateStatus(Pod, unready))) === undefined) return;
  recorder.event(pod, 'Warning', 'NodeNotReady', 'Node is not ready');
}
