import { defaultServiceCidr, firstAddress, markServiceCidrReady } from '../allocators/index.js';
import { bootstrapRbac } from '../authorization/index.js';
import {
  addTrustedClients,
  ensureObjects,
  kubernetesEndpoints,
  kubernetesService,
  systemNamespaces,
  systemPriorityClasses,
  tokenTracking,
  trustedClients,
} from '../bootstrap/index.js';
import { advertiseAddress } from './advertise-address.js';
import type { ResourceApi } from './resource-api.js';

export interface BootstrapOptions {
  readonly bindAddress: string;
  readonly port: number;
  readonly serviceClusterIpRange: string;
  /** PEM texts. */
  readonly clientCertificateAuthorities: readonly string[];
  readonly now: () => number;
}

/** Brings what every cluster has from its first moment into being; settles when all of it is stored. */
export async function bootstrapObjects(api: ResourceApi, options: BootstrapOptions): Promise<void> {
  const { port, serviceClusterIpRange, clientCertificateAuthorities } = options;
  const advertised = advertiseAddress(options.bindAddress);
  // What is in a namespace needs the namespace, and a service an address out of its range.
  await ensureObjects([...systemNamespaces(), defaultServiceCidr(serviceClusterIpRange)], api.endpointOf);
  const serviceCidrs = api.catalog.find('networking.k8s.io', 'servicecidrs');
  if (serviceCidrs !== undefined) await markServiceCidrReady(serviceCidrs, serviceClusterIpRange);
  const addresses = api.catalog.find('networking.k8s.io', 'ipaddresses');
  await ensureObjects(
    [
      ...systemPriorityClasses(),
      ...bootstrapRbac(),
      trustedClients(clientCertificateAuthorities),
      tokenTracking(options.now()),
      // A service without an address is none; and without the kind that claims addresses there are none to be had.
      ...(addresses === undefined ? [] : [kubernetesService(firstAddress(serviceClusterIpRange), port)]),
      ...(advertised === undefined ? [] : kubernetesEndpoints(advertised, port)),
    ],
    api.endpointOf,
  );
  const configMaps = api.catalog.find('', 'configmaps');
  if (configMaps !== undefined) await addTrustedClients(configMaps, clientCertificateAuthorities);
}
