import type { Pod, ServicePort } from '@binnacle/client/kinds/core/v1';

/** The number of the port that a service's port leads to in a pod; undefined if the pod names no such port. Upstream: `FindPort`. */
export function findPort({ spec }: Pod, { targetPort = 0, protocol = 'TCP' }: ServicePort): number | undefined {
  if (typeof targetPort === 'number') return targetPort;
  const sidecars = spec?.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always') ?? [];
  for (const { ports } of [...(spec?.containers ?? []), ...sidecars]) {
    const found = ports?.find((port) => port.name === targetPort && (port.protocol ?? 'TCP') === protocol);
    if (found !== undefined) return found.containerPort;
  }
  return undefined;
}
