import type { Pod } from '../generated/types/core-v1.js';

/** Marks a mirror pod, which represents a static pod in the API. Upstream: `core/v1` MirrorPodAnnotationKey. */
export const MIRROR_ANNOTATION = 'kubernetes.io/config.mirror';

/** Whether the pod only represents a static pod of its node. */
export function isMirrorPod({ metadata }: Readonly<Pod>): boolean {
  return Object.hasOwn(metadata?.annotations ?? {}, MIRROR_ANNOTATION);
}
