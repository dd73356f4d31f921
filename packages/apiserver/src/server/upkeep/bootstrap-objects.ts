import { defaultServiceCidr, firstAddress, markServiceCidrReady } from '../../allocators/index.js';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { StatusError } from '@binnacle/apimachinery/status';
import type { ServedSet } from '@binnacle/api/table';
import { builtInServiceObjects } from '../../aggregation/index.js';
import { bootstrapRbac } from '../../authorization/index.js';
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
} from '../../bootstrap/index.js';
import { createFlowControlObjects } from './flow-control-keeper.js';
import { correctKubernetesEndpoints } from './kubernetes-endpoints.js';
import type { ResourceApi } from '../resource-api.js';

export interface BootstrapOptions {
  /** The address of the `kubernetes` service's endpoints. Undefined: the server does not keep them. */
  readonly advertised: string | undefined;
  readonly port: number;
  readonly serviceClusterIpRange: string;
  readonly trust: TrustedClients;
  /** Whether other servers may use the store. */
  readonly isShared: boolean;
  readonly served: ServedSet;
  readonly now: () => number;
  readonly report: (error: unknown, path: string) => void;
}

/**
 * Creates the objects that every cluster has from its start; settles when all of them are stored or refused. Users may
 * have written objects that conflict. Such refusals are reported, and the result is false.
 */
export async function bootstrapObjects(api: ResourceApi, options: BootstrapOptions): Promise<boolean> {
  const { serviceClusterIpRange: ranges, trust, served } = options;
  const attempts = new Attempts(options.report);
  const ensure = (objects: readonly KubernetesObject[]) => attempts.ensure(api, objects);
  // Namespaced objects need their namespace, and a service needs its address range.
  await Promise.all(ensure([...systemNamespaces(), defaultServiceCidr(ranges)]));
  const serviceCidrs = api.catalog.find('networking.k8s.io', 'servicecidrs');
  if (serviceCidrs !== undefined) {
    await attempts.run('mark the default service CIDR', () => markServiceCidrReady(serviceCidrs, ranges));
  }
  await Promise.all([
    ...ensure([
      ...systemPriorityClasses(),
      ...bootstrapRbac((resource) => served.serves(resource)),
      ...builtInServiceObjects(served.groups),
      trustedClients(trust),
      tokenTracking(options.now()),
    ]),
    attempts.run('create the objects of priority and fairness', () => createFlowControlObjects(api)),
    ...ensureService(api, options, attempts),
  ]);
  const configMaps = api.catalog.find('', 'configmaps');
  if (configMaps !== undefined) {
    await attempts.run('publish the trusted clients', () => addTrustedClients(configMaps, trust));
  }
  return attempts.isComplete;
}

/**
 * Re-creates the `kubernetes` service and its endpoints when users have deleted them, and corrects altered endpoints.
 * Of servers that share a store, the lease of each corrects them. Refusals are reported. Resolves to false if something
 * was refused. Upstream: `pkg/controlplane/controller/kubernetesservice`.
 */
export async function restoreKubernetesService(api: ResourceApi, options: BootstrapOptions): Promise<boolean> {
  const attempts = new Attempts(options.report);
  const { advertised } = options;
  if (advertised !== undefined && !options.isShared) {
    const correct = () => correctKubernetesEndpoints(api, [advertised], options.port);
    await attempts.run('correct the kubernetes endpoints', correct);
  }
  await Promise.all(ensureService(api, options, attempts));
  return attempts.isComplete;
}

function ensureService(api: ResourceApi, options: BootstrapOptions, attempts: Attempts): Promise<void>[] {
  const { advertised, port, serviceClusterIpRange } = options;
  const endpoints = advertised === undefined ? [] : attempts.ensure(api, kubernetesEndpoints(advertised, port));
  // The service needs an address, and addresses need the kind that claims them.
  if (api.catalog.find('networking.k8s.io', 'ipaddresses') === undefined) return endpoints;
  const service = () => ensureKubernetesService(api, firstAddress(serviceClusterIpRange), port);
  return [...endpoints, attempts.run('sync kubernetes service', service)];
}

/** A start that was cut off may have claimed the address without storing the service. */
async function ensureKubernetesService(api: ResourceApi, address: string, port: number): Promise<void> {
  const service = kubernetesService(address, port);
  const { namespace = '', name = '' } = service.metadata;
  await ensureObjects([service], api.endpointOf).catch(async (error: unknown) => {
    if (!isRefusal(error)) throw error;
    await api.serviceAllocator.releaseLeaked({ namespace, name }, address);
    await ensureObjects([kubernetesService(address, port)], api.endpointOf);
  });
}

/** Steps of which each may be refused without ending the others. */
class Attempts {
  readonly #report: BootstrapOptions['report'];
  isComplete = true;

  constructor(report: BootstrapOptions['report']) {
    this.#report = report;
  }

  ensure(api: ResourceApi, objects: readonly KubernetesObject[]): Promise<void>[] {
    return objects.map((object) =>
      this.run(`create ${object.kind} ${object.metadata.name ?? ''}`, () => ensureObjects([object], api.endpointOf)),
    );
  }

  async run(step: string, attempt: () => Promise<void>): Promise<void> {
    try {
      await attempt();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.isComplete = false;
      this.#report(`unable to ${step}: ${error.message}`, 'bootstrap');
    }
  }
}

/** Whether the stored objects, and not a broken store, are the reason of a failure. */
function isRefusal(error: unknown): error is StatusError {
  return error instanceof StatusError && error.code < 500;
}
