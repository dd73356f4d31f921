import type { JsonObject } from '@binnacle/apimachinery/json';
import { formatTime } from '@binnacle/apimachinery/time';
import { type PodUsage, type Usage, usageSum } from './pod-usage.js';

/** The answer of `/stats/summary`: the parts that metrics clients read. `now`: milliseconds since the epoch. */
export function statsSummary(node: string, pods: readonly PodUsage[], now: number): JsonObject {
  const whole = usageSum(pods.flatMap(({ containers }) => containers));
  return {
    node: { nodeName: node, ...statsOf(whole, now) },
    pods: pods.map(({ pod, containers }) => {
      const { name = '', namespace = '', uid = '' } = pod.metadata;
      return {
        podRef: { name, namespace, uid },
        startTime: pod.status?.startTime ?? formatTime(now),
        containers: containers.map((container) => ({
          name: container.name,
          startTime: formatTime(container.startedAt),
          ...statsOf(container, now),
        })),
        ...statsOf(usageSum(containers), now),
      };
    }),
  };
}

function statsOf({ cpu, memory, cpuSeconds }: Usage, now: number): JsonObject {
  const time = formatTime(now);
  return {
    cpu: {
      time,
      usageNanoCores: Math.round(cpu * 1e9),
      usageCoreNanoSeconds: Math.round(cpuSeconds * 1e9),
    },
    memory: { time, usageBytes: memory, workingSetBytes: memory, rssBytes: memory },
  };
}
