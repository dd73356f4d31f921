import type { Pod } from '../generated/types/core-v1.js';

/** On a pod that shows what a node runs by itself. Upstream: `core/v1` MirrorPodAnnotationKey. */
export const MIRROR_ANNOTATION = 'kubernetes.io/config.mirror';

/** Whether a pod only shows what its node runs by itself. */
export function isMirrorPod({ metadata }: Readonly<Pod>): boolean {
  return Object.hasOwn(metadata?.annotations ?? {}, MIRROR_ANNOTATION);
}
