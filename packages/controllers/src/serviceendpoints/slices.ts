import type { Indexer } from '@binnacle/client/cache';
import type { ReconcileRequest } from '@binnacle/client/controller';
import type { EndpointSlice } from '@binnacle/client/kinds/discovery/v1';

/** The label with the name of the service of a slice. */
export const SERVICE_NAME = 'kubernetes.io/service-name';
/** The label with the name of the controller of a slice. */
export const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';

const BY_SERVICE = 'endpoints-service';

/** For `reads` of a controller: slices by their service. */
export const sliceIndexes = {
  [BY_SERVICE]: ({ metadata }: EndpointSlice) => {
    const name = metadata.labels?.[SERVICE_NAME];
    return [name === undefined ? undefined : `${metadata.namespace ?? ''}/${name}`];
  },
};

/** The slices that a controller manages for a service. */
export function slicesOf(
  slices: Indexer<EndpointSlice>,
  { namespace = '', name }: ReconcileRequest,
  manager: string,
): EndpointSlice[] {
  return slices.byIndex(BY_SERVICE, `${namespace}/${name}`).filter((slice) => isManagedBy(slice, manager));
}

/** The service of a slice, if the controller manages the slice. */
export function serviceOfSlice(slice: EndpointSlice, manager: string): ReconcileRequest[] {
  const { namespace, labels } = slice.metadata;
  const name = labels?.[SERVICE_NAME] ?? '';
  return name !== '' && isManagedBy(slice, manager) ? [{ namespace, name }] : [];
}

function isManagedBy({ metadata }: EndpointSlice, manager: string): boolean {
  return metadata.labels?.[MANAGED_BY] === manager;
}
