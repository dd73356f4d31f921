import { defaultServiceCidr, firstAddress, markServiceCidrReady } from '../allocators/index.js';
import type { ServedSet } from '@binnacle/api/table';
import { builtInServiceObjects } from '../aggregation/index.js';
import { bootstrapRbac } from '../authorization/index.js';
import {
  addTrustedClients,
  ensureObjects,
  kubernetesEndpoints,
  kubernetesService,
  systemNamespaces,
  systemPriorityClasses,
  tokenTracking,
  type TrustedClients,
  trustedClients,
} from '../bootstrap/index.js';
import { advertiseAddress } from './advertise-address.js';
import type { ResourceApi } from './resource-api.js';

export interface BootstrapOptions {
  readonly bindAddress: string;
  readonly port: number;
  readonly serviceClusterIpRange: string;
  readonly trust: TrustedClients;
  readonly served: ServedSet;
  readonly now: () => number;
}

/** Creates the objects that every cluster has from its start; settles when all of them are stored. */
export async function bootstrapObjects(api: ResourceApi, options: BootstrapOptions): Promise<void> {
  const { port, serviceClusterIpRange, trust, served } = options;
  const advertised = advertiseAddress(options.bindAddress);
  // Namespaced objects need their namespace, and a service needs its address range.
  await ensureObjects([...systemNamespaces(), defaultServiceCidr(serviceClusterIpRange)], api.endpointOf);
  const serviceCidrs = api.catalog.find('networking.k8s.io', 'servicecidrs');
  if (serviceCidrs !== undefined) await markServiceCidrReady(serviceCidrs, serviceClusterIpRange);
  const addresses = api.catalog.find('networking.k8s.io', 'ipaddresses');
  await ensureObjects(
    [
      ...systemPriorityClasses(),
      ...bootstrapRbac(),
      ...builtInServiceObjects(served.groups),
      trustedClients(trust),
      tokenTracking(options.now()),
      // The service needs an address, and addresses need the kind that claims them.
      ...(addresses === undefined ? [] : [kubernetesService(firstAddress(serviceClusterIpRange), port)]),
      ...(advertised === undefined ? [] : kubernetesEndpoints(advertised, port)),
    ],
    api.endpointOf,
  );
  const configMaps = api.catalog.find('', 'configmaps');
  if (configMaps !== undefined) await addTrustedClients(configMaps, trust);
}
