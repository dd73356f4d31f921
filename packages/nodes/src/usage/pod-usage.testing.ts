import type { Pod } from '@binnacle/client/kinds/core/v1';
import type { PodUsage } from './pod-usage.js';

export const START = Date.UTC(2027, 0, 4);

/** A pod whose containers started at the given seconds. The usage of each is what it would have one minute after {@link START}. */
export function usedPod(name: string, starts: Readonly<Record<string, number>>, startTime?: string): PodUsage {
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'shop', name, uid: `uid-${name}` },
    status: startTime === undefined ? {} : { startTime },
  };
  return {
    pod,
    containers: Object.entries(starts).map(([container, seconds]) => ({
      name: container,
      startedAt: START + seconds * 1000,
      cpu: 0.25,
      memory: 64 << 20,
      cpuSeconds: 0.25 * (60 - seconds),
    })),
  };
}
