import type { ServiceCIDR } from '@binnacle/api/types/networking-v1';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { notFound } from '@binnacle/apimachinery/status';
import { formatTime } from '@binnacle/apimachinery/time';
import { semanticEqual } from '@binnacle/apimachinery/validation';
import { type OwnResource, serverScope } from '../bootstrap/index.js';
import { parseIpRanges } from './ip-range.js';

/** The address of the `kubernetes` service: the first of the first range. */
export function firstAddress(ranges: string): string {
  return parseIpRanges(ranges)[0].first;
}

const NAME = 'kubernetes';

/** The ServiceCIDR object of the configured ranges. Upstream: kubernetes `pkg/controlplane/controller/defaultservicecidr`. */
export function defaultServiceCidr(ranges: string): KubernetesObject {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'ServiceCIDR',
    metadata: { name: NAME },
    spec: { cidrs: cidrsOf(ranges) },
  };
}

/**
 * Marks the ServiceCIDR as ready if it has no such condition and still has the configured ranges. A create ignores
 * status, so this is a separate step.
 */
export async function markServiceCidrReady(serviceCidrs: OwnResource, ranges: string): Promise<void> {
  const ready = {
    type: 'Ready',
    status: 'True',
    lastTransitionTime: formatTime(serviceCidrs.clock.now()),
    reason: '',
    message: 'Kubernetes default Service CIDR is ready',
  };
  const transform = (current: KubernetesObject | undefined): KubernetesObject => {
    if (current === undefined) throw notFound({ group: 'networking.k8s.io', resource: 'servicecidrs' }, NAME);
    const cidr = current as ServiceCIDR;
    const conditions = cidr.status?.conditions ?? [];
    const isOurs = semanticEqual(cidr.spec?.cidrs, cidrsOf(ranges)) && current.metadata.deletionTimestamp === undefined;
    const isSettled = conditions.some(({ type, status }) => type === 'Ready' && status !== 'Unknown');
    if (isOurs && !isSettled)
      cidr.status = { conditions: [...conditions.filter(({ type }) => type !== 'Ready'), ready] };
    return current;
  };
  await serviceCidrs.store.update(serverScope(''), { name: NAME, transform, strategy: {} });
}

function cidrsOf(ranges: string): string[] {
  return parseIpRanges(ranges).map((range) => range.text);
}
