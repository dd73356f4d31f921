import type { Steps } from '@binnacle/apimachinery/work';
import type { Service } from '@binnacle/client/kinds/core/v1';
import type { EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import { areOfOneNode, localServicePlace } from '../node/limits/index.js';
import {
  type Endpoint,
  endpointsOf,
  isServed,
  type Place,
  processesOf,
  serving,
  slicesByService,
} from './service-endpoints.js';

/** A port whose connections are forwarded to endpoints. */
export interface ServicePort {
  readonly place: Place;
  /** `NAMESPACE/NAME:PORT`. Ports with the same name share turns and affinity. */
  readonly name: string;
  /** Listed on first use. */
  readonly endpoints: readonly Endpoint[];
  /** Connections from a process node go only to endpoints on it. */
  readonly isLocal: boolean;
  /** How long a client keeps its endpoint after its last connection, in milliseconds; undefined: each connection gets another one. */
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
export function* trafficPlan(
  services: readonly Service[],
  slices: readonly EndpointSlice[],
  nodes: readonly TrafficNode[],
): Steps<TrafficPlan> {
  const known = slicesByService(slices);
  const [ports, health] = [new Places<ServicePort>(), new Places<ServiceHealth>()];
  for (const service of services.toSorted((a, b) => compare(ageOf(a), ageOf(b)))) {
    yield;
    const own = known.get(`${service.metadata.namespace}/${service.metadata.name}`) ?? [];
    for (const { port, isUsed } of portsOf(service, own, nodes)) {
      yield;
      ports.take(port, isUsed);
    }
    for (const each of healthOf(service, own, nodes)) health.take(each);
    if (ports.isFull && health.isFull) break;
  }
  return {
    services: ports.taken,
    health: health.taken,
    nodes: nodes.map(({ host, isEligible }) => ({ place: { host, port: NODE_HEALTH_PORT }, isEligible })),
  };
}

/**
 * Two cluster IPs may map to one loopback address. The first has the port, also while it has no endpoints: the other may be
 * another user's.
 */
class Places<T extends { readonly place: Place }> {
  readonly taken: T[] = [];
  readonly #names = new Set<string>();

  take(port: T, isUsed: () => boolean = () => true): void {
    const name = placeName(port.place);
    if (this.isFull || this.#names.has(name)) return;
    this.#names.add(name);
    if (isUsed()) this.taken.push(port);
  }

  get isFull(): boolean {
    return this.taken.length >= MOST_PORTS;
  }
}

const ageOf = ({ metadata: { creationTimestamp = '', namespace, name } }: Service): string =>
  `${creationTimestamp} ${namespace}/${name}`;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

interface Candidate {
  readonly port: ServicePort;
  /** Whether it has endpoints that take connections. */
  readonly isUsed: () => boolean;
}

function* portsOf(
  { metadata, spec = {} }: Service,
  slices: readonly EndpointSlice[],
  nodes: readonly TrafficNode[],
): Generator<Candidate> {
  const { clusterIP = '', sessionAffinity, sessionAffinityConfig } = spec;
  const seconds = sessionAffinityConfig?.clientIP?.timeoutSeconds ?? AFFINITY_SECONDS;
  const affinity = sessionAffinity === 'ClientIP' ? seconds * 1000 : undefined;
  for (const { port, nodePort = 0, name: portName = '', protocol = 'TCP' } of spec.ports ?? []) {
    const place = localServicePlace(clusterIP, port);
    if (protocol !== 'TCP' || place === undefined) continue;
    const name = `${metadata.namespace}/${metadata.name}:${portName}`;
    const isLocal = spec.internalTrafficPolicy === 'Local';
    const all = () => endpointsOf(slices, portName);
    yield {
      port: withEndpoints({ place, name, isLocal, affinity }, () => (isLocal ? all() : serving(all()))),
      isUsed: () => isServed(slices, portName),
    };
    for (const { host } of nodePort === 0 ? [] : nodes) {
      const isReached = (each: string) => spec.externalTrafficPolicy !== 'Local' || areOfOneNode(each, host);
      yield {
        port: withEndpoints({ place: { host, port: nodePort }, name, isLocal: false, affinity }, () =>
          serving(all().filter((each) => isReached(each.host))),
        ),
        isUsed: () => isServed(slices, portName, isReached),
      };
    }
  }
}

/** Most ports of a plan get no connection before the next plan. */
function withEndpoints(port: Omit<ServicePort, 'endpoints'>, list: () => readonly Endpoint[]): ServicePort {
  let known: readonly Endpoint[] | undefined;
  return {
    ...port,
    get endpoints() {
      return (known ??= list());
    },
  };
}

function healthOf(
  { metadata: { namespace = '', name = '' }, spec = {} }: Service,
  slices: readonly EndpointSlice[],
  nodes: readonly TrafficNode[],
): readonly ServiceHealth[] {
  const { healthCheckNodePort: port = 0, ports = [] } = spec;
  if (port === 0) return [];
  const names = ports.map(({ name: portName = '' }) => portName);
  const ready = processesOf(slices, names).filter(({ isReady }) => isReady);
  return nodes.map(({ host }) => {
    const local = new Set(ready.filter((each) => areOfOneNode(each.host, host)).map((each) => each.host));
    return { place: { host, port }, namespace, name, endpoints: local.size };
  });
}

export const placeName = ({ host, port }: Place): string => `${host}:${port}`;
