import type { DynamicClient } from '@binnacle/client/dynamic';
import { Pod, Service } from '@binnacle/client/kinds/core/v1';
import { EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import { isNotFound } from '@binnacle/client/rest';
import type { Network } from '../shell/index.js';
import { fullNameOf, type ServiceName, serviceNameOf } from './service-names.js';
import { simulatedAnswer } from './simulated-answer.js';

const SLICES_AT_ONCE = 4;

/** A ready endpoint of a service. */
interface ReadyEndpoint {
  readonly address: string;
  /** The name of its pod, if it has one. */
  readonly pod: string | undefined;
  /** By the names of the ports. */
  readonly ports: ReadonlyMap<string, number>;
}

/**
 * The services of a cluster as a simulated pod of a namespace reaches them. Names have the addresses that the cluster's DNS would give;
 * requests have the answer of the first ready pod, which says that it is simulated.
 */
export function clusterNetwork(client: DynamicClient, namespace: string): Network {
  return {
    lookUp: async (text, signal) => {
      const name = serviceNameOf(text, namespace);
      const service = name && (await find(client, name, signal));
      if (name === undefined || service === undefined) return undefined;
      const addresses = await addressesOf(client, service, name, signal);
      return addresses.length === 0 ? undefined : { name: fullNameOf(name), addresses };
    },
    get: async (text, port, path, signal) => {
      const name = serviceNameOf(text, namespace);
      const service = name && (await find(client, name, signal));
      if (name === undefined || service === undefined) return undefined;
      const { clusterIP = '', ports = [] } = service.spec ?? {};
      const named = ports.find((each) => each.port === port && (each.protocol ?? 'TCP') === 'TCP');
      // The pods of a headless service have ports of their own.
      if (clusterIP !== 'None' && named === undefined) return undefined;
      const endpoint = await firstOf(endpointsOf(client, name, signal));
      const target = clusterIP === 'None' ? port : endpoint?.ports.get(named?.name ?? '');
      if (endpoint?.pod === undefined || target === undefined) return undefined;
      const pod = await orUndefined(client.resource(Pod).namespace(name.namespace).get(endpoint.pod, { signal }));
      return pod && simulatedAnswer(pod, target, `GET ${path}`);
    },
  };
}

function find(client: DynamicClient, { service, namespace }: ServiceName, signal: AbortSignal) {
  return orUndefined(client.resource(Service).namespace(namespace).get(service, { signal }));
}

async function orUndefined<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function addressesOf(
  client: DynamicClient,
  { spec = {} }: Service,
  name: ServiceName,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { clusterIP = '', externalName } = spec;
  if (externalName !== undefined) return [externalName];
  if (clusterIP === 'None') {
    const addresses: string[] = [];
    for await (const { address } of endpointsOf(client, name, signal)) addresses.push(address);
    return addresses;
  }
  return clusterIP === '' || name.host !== undefined ? [] : [clusterIP];
}

/** The ready endpoints, and only that of the host if the name has one. Reads few slices at once: they may be as large as objects can be. */
async function* endpointsOf(
  client: DynamicClient,
  { service, namespace, host }: ServiceName,
  signal: AbortSignal,
): AsyncGenerator<ReadyEndpoint, void, undefined> {
  const labelSelector = `kubernetes.io/service-name=${service}`;
  const slices = client.resource(EndpointSlice).namespace(namespace);
  for await (const { endpoints, ports } of slices.items({ labelSelector, limit: SLICES_AT_ONCE, signal })) {
    const numbers = new Map((ports ?? []).flatMap(({ name = '', port }) => (port === undefined ? [] : [[name, port]])));
    for (const { addresses, conditions, hostname, targetRef } of endpoints ?? []) {
      if (conditions?.ready === false || (host !== undefined && hostname !== host)) continue;
      yield { address: addresses[0] ?? '', pod: targetRef?.name, ports: numbers };
    }
  }
}

async function firstOf<T>(all: AsyncIterable<T>): Promise<T | undefined> {
  for await (const each of all) return each;
  return undefined;
}
