import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { formatTime } from '@binnacle/apimachinery/time';
import { parseIpRanges } from './ip-range.js';

/** The address that the `kubernetes` service has: the first of the first range. */
export function firstAddress(ranges: string): string {
  return parseIpRanges(ranges)[0].first;
}

/**
 * The ServiceCIDR object of the configured ranges, ready from the start.
 * Upstream: kubernetes `pkg/controlplane/controller/defaultservicecidr`.
 */
export function defaultServiceCidr(ranges: string, now: number): KubernetesObject {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'ServiceCIDR',
    metadata: { name: 'kubernetes' },
    spec: { cidrs: parseIpRanges(ranges).map((range) => range.text) },
    status: {
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          lastTransitionTime: formatTime(now),
          reason: '',
          message: 'Kubernetes default Service CIDR is ready',
        },
      ],
    },
  };
}
