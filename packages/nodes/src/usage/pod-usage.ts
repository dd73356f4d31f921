import { Quantity } from '@binnacle/apimachinery/quantity';
import type { Container, Pod } from '@binnacle/client/kinds/core/v1';
import { scriptOf, timeIn } from '../pods/index.js';

export interface Usage {
  /** Cores. */
  readonly cpu: number;
  /** Bytes. */
  readonly memory: number;
  /** Cores times seconds since the start of the containers that run. */
  readonly cpuSeconds: number;
}

export interface ContainerUsage extends Usage {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

export interface PodUsage {
  readonly pod: Pod;
  /** Of the containers that run. */
  readonly containers: readonly ContainerUsage[];
}

const LEAST = { cpu: Quantity.parse('1m'), memory: Quantity.parse('10Mi') };

/** What the containers of a pod use at this time, in milliseconds since the epoch. */
export function podUsage(pod: Pod, now: number): PodUsage {
  const { usage } = scriptOf(pod);
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  const statuses = new Map([...initContainerStatuses, ...containerStatuses].map((status) => [status.name, status]));
  return {
    pod,
    containers: [...initContainers, ...containers].flatMap((container) => {
      const running = statuses.get(container.name)?.state?.running;
      if (running === undefined) return [];
      const startedAt = Math.min(timeIn(running.startedAt, now), now);
      const cpu = (usage.cpu ?? requestOf(container, 'cpu') ?? LEAST.cpu).asNumber();
      const memory = (usage.memory ?? requestOf(container, 'memory') ?? LEAST.memory).asNumber();
      const cpuSeconds = (cpu * (now - startedAt)) / 1000;
      return [{ name: container.name, startedAt, cpu, memory: Math.round(memory), cpuSeconds }];
    }),
  };
}

export function usageSum(usages: Iterable<Usage>): Usage {
  let [cpu, memory, cpuSeconds] = [0, 0, 0];
  for (const usage of usages) {
    cpu += usage.cpu;
    memory += usage.memory;
    cpuSeconds += usage.cpuSeconds;
  }
  return { cpu, memory, cpuSeconds };
}

function requestOf({ resources }: Container, name: 'cpu' | 'memory'): Quantity | undefined {
  const text = resources?.requests?.[name];
  return text === undefined ? undefined : Quantity.parse(text);
}
