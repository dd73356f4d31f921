import type { Pod, ServicePort } from '@binnacle/client/kinds/core/v1';
import { sidecarsOf } from '../common/index.js';

/** The number of the port that a service's port leads to in a pod; undefined if the pod names no such port. Upstream: `FindPort`. */
export function findPort(pod: Pod, { targetPort = 0, protocol = 'TCP' }: ServicePort): number | undefined {
  if (typeof targetPort === 'number') return targetPort;
  for (const { ports } of [...(pod.spec?.containers ?? []), ...sidecarsOf(pod)]) {
    const found = ports?.find((port) => port.name === targetPort && (port.protocol ?? 'TCP') === protocol);
    if (found !== undefined) return found.containerPort;
  }
  return undefined;
}
