import type { Pod, ServicePort } from '@binnacle/client/kinds/core/v1';
import { sidecarsOf } from '../common/index.js';

/** Where the ports of a service lead in a pod. */
export interface PodTargets {
  /** Equal for pods in which all ports lead to the same numbers. */
  readonly key: string;
  /** How many ports of the pod were read. */
  readonly cost: number;
  /** Undefined if the pod names no such port. Upstream: `FindPort`. */
  readonly numberOf: (port: ServicePort) => number | undefined;
}

/** Reads the ports of each pod once, as both pods and services may have thousands. */
export function podTargets(servicePorts: readonly ServicePort[]): (pod: Pod) => PodTargets {
  const named = new Set(servicePorts.map(targetOf).filter((target) => target !== undefined));
  return (pod) => {
    const numbers = new Map<string, number>();
    let cost = 0;
    for (const { ports = [] } of named.size === 0 ? [] : [...(pod.spec?.containers ?? []), ...sidecarsOf(pod)]) {
      cost += ports.length;
      for (const { name = '', protocol = 'TCP', containerPort } of ports) {
        const target = `${name}/${protocol}`;
        if (named.has(target) && !numbers.has(target)) numbers.set(target, containerPort);
      }
    }
    const found = [...numbers].map(([target, number]) => `${target}=${number}`);
    const numberOf = (port: ServicePort) => {
      const target = targetOf(port);
      return target === undefined ? Number(port.targetPort ?? 0) : numbers.get(target);
    };
    return { key: found.sort().join(' '), cost, numberOf };
  };
}

/** Undefined for a port that leads to a number. */
function targetOf({ targetPort, protocol = 'TCP' }: ServicePort): string | undefined {
  return typeof targetPort === 'string' ? `${targetPort}/${protocol}` : undefined;
}
