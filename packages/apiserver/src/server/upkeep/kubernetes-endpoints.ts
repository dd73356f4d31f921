import type { Endpoints } from '@binnacle/api/types/core-v1';
import type { EndpointSlice } from '@binnacle/api/types/discovery-v1';
import { asKind } from '@binnacle/apimachinery/meta';
import { correctEndpoints, correctSlice, serverScope, sliceTypeOf, updateOwned } from '../../bootstrap/index.js';
import { NEWEST } from '../../request/index.js';
import type { ResourceApi } from '../resource-api.js';

const namespace = 'default';
const name = 'kubernetes';

/**
 * Corrects the endpoints of the `kubernetes` service where they are not those of the servers; missing ones stay missing. A slice of
 * another address type is deleted, because the type cannot change. Throws StatusError.
 */
export async function correctKubernetesEndpoints(
  api: ResourceApi,
  addresses: readonly string[],
  port: number,
): Promise<void> {
  const endpoints = api.catalog.find('', 'endpoints');
  if (endpoints === undefined) return;
  const stored = await endpoints.store.reader.find(namespace, name, NEWEST);
  if (stored === undefined) return;
  const { uid = '' } = stored.decode().metadata;
  let correct: Endpoints | undefined;
  await updateOwned(endpoints, { namespace, name, uid, subresource: '', parts: ['subsets'] }, (object) => {
    correct = asKind<Endpoints>(object);
    correctEndpoints(correct, addresses, port);
  });
  if (correct !== undefined) await correctKubernetesSlice(api, correct);
}

async function correctKubernetesSlice(api: ResourceApi, endpoints: Endpoints): Promise<void> {
  const slices = api.catalog.find('discovery.k8s.io', 'endpointslices');
  const stored = await slices?.store.reader.find(namespace, name, NEWEST);
  if (slices === undefined || stored === undefined) return;
  const { metadata, addressType } = asKind<EndpointSlice>(stored.decode());
  const uid = metadata?.uid ?? '';
  if (addressType !== sliceTypeOf(endpoints)) {
    await slices.store.delete(serverScope(namespace), name, { preconditions: { uid } });
    return;
  }
  await updateOwned(slices, { namespace, name, uid, subresource: '', parts: ['endpoints', 'ports'] }, (object) => {
    correctSlice(asKind<EndpointSlice>(object), endpoints);
  });
}
