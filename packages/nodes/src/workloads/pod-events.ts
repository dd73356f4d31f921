import type { Pod } from '@binnacle/client/kinds/core/v1';
import { containerPath, type PodEvent } from '../pods/index.js';

/** An event about a container of a pod. */
export const containerEventOf = (pod: Pod, container: string, event: Omit<PodEvent, 'fieldPath'>): PodEvent => ({
  ...event,
  ...containerPath(pod, container),
});
