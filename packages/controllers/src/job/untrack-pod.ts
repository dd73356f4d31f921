import { Pod } from '@binnacle/client/kinds/core/v1';
import { unlessGone, type Writer } from '../common/index.js';
import { isTracked, TRACKING_FINALIZER } from './job-pods.js';

/** Removes the finalizer with which a Job counts the pod. A pod that is gone is not a failure. */
export async function untrackPod(writer: Writer, pod: Pod): Promise<void> {
  if (!isTracked(pod)) return;
  const { uid = '' } = pod.metadata;
  const metadata = { uid, '$deleteFromPrimitiveList/finalizers': [TRACKING_FINALIZER] };
  await unlessGone(writer.patch(Pod, pod, { metadata }));
}
