import type { Service } from '@binnacle/api/types/core-v1';
import type { EndpointSlice } from '@binnacle/api/types/discovery-v1';
import type { ServiceReference } from '@binnacle/api/types/apiextensions-v1';
import { pick, type Random } from '@binnacle/apimachinery/clock';
import { quoteGo } from '@binnacle/apimachinery/status';
import type { KindReader } from '../registry/index.js';
import { WebhookCallError } from './call-error.js';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Finds the current address of a service. Rejects with a {@link WebhookCallError}. */
export type ServiceResolver = (service: ServiceReference) => Promise<Address>;

export interface ServiceSources {
  readonly services: Pick<KindReader<Service>, 'find'>;
  readonly endpointSlices: Pick<KindReader<EndpointSlice>, 'list'>;
  /** Chooses among the endpoints of a service. */
  readonly random: Random;
  /** Whether to prefer endpoints to cluster IPs, which the server's host may not route. Default: true. */
  readonly toEndpoints?: boolean | undefined;
}

const DEFAULT_PORT = 443;
const SERVICE_NAME = 'kubernetes.io/service-name';
const routable: readonly (string | undefined)[] = [undefined, 'ClusterIP', 'NodePort', 'LoadBalancer'];

/**
 * Resolves services from this server's own objects.
 * Upstream: apiserver `pkg/util/proxy`, `ResolveEndpoint` and `ResolveCluster`.
 */
export function clusterServices(sources: ServiceSources): ServiceResolver {
  return async ({ name, namespace, port = DEFAULT_PORT }) => {
    const service = await sources.services.find(namespace, name);
    if (service === undefined) throw new WebhookCallError(`service ${quoteGo(name)} not found`);
    const { spec = {} } = service;
    if (spec.type === 'ExternalName') return { host: spec.externalName ?? '', port };
    if (!routable.includes(spec.type)) {
      throw new WebhookCallError(`unsupported service type ${quoteGo(spec.type ?? '')}`);
    }
    const servicePort = spec.ports?.find((each) => each.port === port);
    if (servicePort === undefined) {
      throw new WebhookCallError(`no service port ${String(port)} found for service ${quoteGo(name)}`);
    }
    const slices = (sources.toEndpoints ?? true) ? await slicesOf(sources, namespace, name) : [];
    const family = spec.ipFamilies?.[0];
    const ready = readyAddresses(slices, servicePort.name ?? '');
    const preferred = ready.filter((each) => each.family === family);
    const choices = preferred.length > 0 ? preferred : ready;
    const chosen = pick(sources.random, choices);
    if (chosen !== undefined) return chosen;
    const { clusterIP = '' } = spec;
    if (slices.length > 0 || clusterIP === '') {
      throw new WebhookCallError(`no endpoints available for service ${quoteGo(name)}`);
    }
    if (clusterIP === 'None') throw new WebhookCallError('cannot route to service with ClusterIP "None"');
    return { host: clusterIP, port };
  };
}

async function slicesOf(
  { endpointSlices }: ServiceSources,
  namespace: string,
  service: string,
): Promise<readonly EndpointSlice[]> {
  return endpointSlices.list(namespace, ({ labels }) => labels[SERVICE_NAME] === service);
}

/** Every endpoint address that is ready, or does not say. */
function readyAddresses(slices: readonly EndpointSlice[], portName: string) {
  return slices.flatMap(({ addressType, endpoints = [], ports = [] }) => {
    const port = ports?.find((each) => (each.name ?? '') === portName)?.port;
    if (port === undefined) return [];
    return (endpoints ?? []).flatMap(({ addresses: [host], conditions }) =>
      host === undefined || conditions?.ready === false ? [] : [{ family: addressType, host, port }],
    );
  });
}
