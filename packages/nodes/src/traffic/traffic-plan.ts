import type { Service } from '@binnacle/client/kinds/core/v1';
import type { EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import { areOfOneNode, localServicePlace } from '../node/limits/index.js';
import { type Endpoint, endpointsOf, type Place, serving, slicesByService } from './service-endpoints.js';

/** A port whose connections go on to endpoints. */
export interface ServicePort {
  readonly place: Place;
  /** `NAMESPACE/NAME:PORT`. The ports of one name share turns and affinity. */
  readonly name: string;
  readonly endpoints: readonly Endpoint[];
  /** Connections from a process node go only to endpoints on it. */
  readonly isLocal: boolean;
  /** How long a client keeps its endpoint after its last connection, milliseconds; undefined: each connection gets another one. */
  readonly affinity: number | undefined;
}

/** A port that says whether a load balancer may send connections for a service to a node. */
export interface ServiceHealth {
  readonly place: Place;
  readonly namespace: string;
  readonly name: string;
  /** The ready endpoints on the node. */
  readonly endpoints: number;
}

/** A port that says whether the balancer of a node works. */
export interface NodeHealth {
  readonly place: Place;
  /** Load balancers may use the node. */
  readonly isEligible: boolean;
}

export interface TrafficPlan {
  readonly services: readonly ServicePort[];
  readonly health: readonly ServiceHealth[];
  readonly nodes: readonly NodeHealth[];
}

/** A process node: its address on this machine, and whether load balancers may use it. */
export interface TrafficNode {
  readonly host: string;
  readonly isEligible: boolean;
}

/** Upstream: `DefaultClientIPServiceAffinitySeconds`. */
const AFFINITY_SECONDS = 10_800;
/** Upstream: `ProxyHealthzPort`. */
const NODE_HEALTH_PORT = 10_256;
/** The most ports of services. The oldest services have them. */
const MOST_PORTS = 2000;

/** The TCP ports on which this machine answers for services and nodes. Upstream: kube-proxy. */
export function trafficPlan(
  services: readonly Service[],
  slices: readonly EndpointSlice[],
  nodes: readonly TrafficNode[],
): TrafficPlan {
  const known = slicesByService(slices);
  const oldest = services.toSorted((a, b) => compare(ageOf(a), ageOf(b)));
  const plans = oldest.map((service) => {
    const own = known.get(`${service.metadata.namespace}/${service.metadata.name}`) ?? [];
    return { ports: portsOf(service, own, nodes), health: healthOf(service, own, nodes) };
  });
  return {
    services: firstOfEach(plans.flatMap(({ ports }) => ports))
      .filter(({ endpoints }) => serving(endpoints).length > 0)
      .slice(0, MOST_PORTS),
    health: firstOfEach(plans.flatMap(({ health }) => health)).slice(0, MOST_PORTS),
    nodes: nodes.map(({ host, isEligible }) => ({ place: { host, port: NODE_HEALTH_PORT }, isEligible })),
  };
}

const ageOf = ({ metadata: { creationTimestamp = '', namespace, name } }: Service): string =>
  `${creationTimestamp} ${namespace}/${name}`;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function portsOf(
  { metadata, spec = {} }: Service,
  slices: readonly EndpointSlice[],
  nodes: readonly TrafficNode[],
): readonly ServicePort[] {
  const { clusterIP = '', sessionAffinity, sessionAffinityConfig } = spec;
  const seconds = sessionAffinityConfig?.clientIP?.timeoutSeconds ?? AFFINITY_SECONDS;
  const affinity = sessionAffinity === 'ClientIP' ? seconds * 1000 : undefined;
  return (spec.ports ?? []).flatMap(({ port, nodePort = 0, name: portName = '', protocol = 'TCP' }) => {
    const place = localServicePlace(clusterIP, port);
    if (protocol !== 'TCP' || place === undefined) return [];
    const all = endpointsOf(slices, portName);
    const name = `${metadata.namespace}/${metadata.name}:${portName}`;
    const isLocal = spec.internalTrafficPolicy === 'Local';
    const atClusterIP = { place, name, endpoints: isLocal ? all : serving(all), isLocal, affinity };
    const atNodes = nodePort === 0 ? [] : nodes;
    return [
      atClusterIP,
      ...atNodes.map(({ host }) => {
        const reached =
          spec.externalTrafficPolicy === 'Local' ? all.filter((each) => areOfOneNode(each.host, host)) : all;
        return { ...atClusterIP, place: { host, port: nodePort }, endpoints: serving(reached), isLocal: false };
      }),
    ];
  });
}

function healthOf(
  { metadata: { namespace = '', name = '' }, spec = {} }: Service,
  slices: readonly EndpointSlice[],
  nodes: readonly TrafficNode[],
): readonly ServiceHealth[] {
  const { healthCheckNodePort: port = 0, ports = [] } = spec;
  if (port === 0) return [];
  const ready = ports.flatMap(({ name: portName }) =>
    endpointsOf(slices, portName ?? '').filter(({ isReady }) => isReady),
  );
  return nodes.map(({ host }) => {
    const local = new Set(ready.filter((each) => areOfOneNode(each.host, host)).map((each) => each.host));
    return { place: { host, port }, namespace, name, endpoints: local.size };
  });
}

/** Two cluster IPs may map to one loopback address. The first has the port, also while it has no endpoints: the other may be another user's. */
function firstOfEach<T extends { readonly place: Place }>(ports: readonly T[]): readonly T[] {
  const byPlace = new Map<string, T>();
  for (const port of ports) {
    const key = placeName(port.place);
    if (!byPlace.has(key)) byPlace.set(key, port);
  }
  return [...byPlace.values()];
}

export const placeName = ({ host, port }: Place): string => `${host}:${port}`;
