import { controllerReference, podPrefix } from '../common/index.js';
import type { Service } from '@binnacle/client/kinds/core/v1';
import type { EndpointPort, EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import {
  type AddressType,
  HEADLESS,
  isHeadless,
  isSameStrings,
  MANAGED_BY,
  SERVICE_NAME,
  type Strings,
} from '../serviceendpoints/index.js';

/** The name of this controller in labels of slices. */
export const MANAGER = 'endpointslice-controller.k8s.io';

/** Labels that do not follow the service's. */
const reserved: ReadonlySet<string> = new Set([SERVICE_NAME, MANAGED_BY, HEADLESS]);

/** A slice without endpoints. The server completes its name. */
export function newSlice(service: Service, addressType: AddressType, ports: readonly EndpointPort[]): EndpointSlice {
  const { name = '', namespace } = service.metadata;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      generateName: podPrefix(name),
      ...(namespace === undefined ? {} : { namespace }),
      labels: sliceLabels(service),
      ownerReferences: [controllerReference(service)],
    },
    addressType,
    ...(ports.length === 0 ? {} : { ports }),
  };
}

/** The service's labels, and those that tell whose slice it is. */
export function sliceLabels(service: Service): Strings {
  return {
    ...ownLabels(service.metadata.labels),
    ...(isHeadless(service) ? { [HEADLESS]: '' } : {}),
    [SERVICE_NAME]: service.metadata.name ?? '',
    [MANAGED_BY]: MANAGER,
  };
}

/** Whether the slice has the service's labels. Reserved ones do not count, like upstream. */
export function followsLabels({ metadata }: EndpointSlice, service: Service): boolean {
  return isSameStrings(ownLabels(metadata.labels), ownLabels(service.metadata.labels));
}

/** Whether the slice is the one that a service without endpoints has. */
export function isPlaceholder(slice: EndpointSlice, service: Service): boolean {
  const hasNone = (slice.endpoints ?? []).length === 0 && (slice.ports ?? []).length === 0;
  return hasNone && isSameStrings(slice.metadata.labels ?? {}, sliceLabels(service));
}

/** Whether the slice belongs to this service, and not to a deleted one of its name. */
export function isOwnedBy({ metadata }: EndpointSlice, { metadata: { uid } }: Service): boolean {
  const owners = metadata.ownerReferences ?? [];
  return owners.some((owner) => owner.uid === uid && owner.kind === 'Service' && owner.apiVersion === 'v1');
}

function ownLabels(labels: Strings | undefined): Strings {
  return Object.fromEntries(Object.entries(labels ?? {}).filter(([key]) => !reserved.has(key)));
}
