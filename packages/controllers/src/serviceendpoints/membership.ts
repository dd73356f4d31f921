import { deepEqual } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import type { ObjectChange } from '@binnacle/client/controller';
import type { Pod, Service } from '@binnacle/client/kinds/core/v1';
import { isPodReady, isPodTerminal } from '../common/index.js';

/** Whether the service's endpoints come from its selector. */
export function hasSelector({ spec }: Service): boolean {
  return Object.keys(spec?.selector ?? {}).length > 0;
}

/** Whether these controllers make endpoints for the service. Services of type ExternalName have none: issues.k8s.io/105986. */
export function hasOwnEndpoints(service: Service): boolean {
  return hasSelector(service) && service.spec?.type !== 'ExternalName';
}

export function isHeadless({ spec }: Service): boolean {
  return spec?.clusterIP === undefined || spec.clusterIP === '' || spec.clusterIP === 'None';
}

/** Whether the pod has an address and has not ended. */
export function hasAddress(pod: Pod): boolean {
  const { podIP = '', podIPs } = pod.status ?? {};
  return !isPodTerminal(pod) && (podIP !== '' || (podIPs ?? []).length > 0);
}

/** The pod's hostname, if the service gives it a DNS name. */
export function hostnameIn({ spec, metadata }: Pod, service: Service): string | undefined {
  const { hostname = '', subdomain } = spec ?? {};
  const { name, namespace } = service.metadata;
  return hostname !== '' && subdomain === name && metadata.namespace === namespace ? hostname : undefined;
}

/**
 * Drops changes of a pod that change none of its endpoints. Any change of a pod that is being deleted counts, like upstream. Upstream:
 * `podEndpointsChanged`.
 */
export function changesEndpoints(change: ObjectChange<Pod>): boolean {
  if (change.type !== 'update') return change.type !== 'resync';
  const { before, object: after } = change;
  if (before.metadata.deletionTimestamp !== undefined || after.metadata.deletionTimestamp !== undefined) return true;
  return isPodReady(before) !== isPodReady(after) || !deepEqual(asJson(identity(before)), asJson(identity(after)));
}

function identity({ metadata, spec, status }: Pod) {
  const addresses = (status?.podIPs ?? []).map(({ ip }) => ip);
  return {
    labels: metadata.labels ?? {},
    hostname: spec?.hostname ?? '',
    subdomain: spec?.subdomain ?? '',
    addresses,
  };
}
