import type { EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import { localPodAddress } from '../node/limits/index.js';

/** An address of this machine, and a port there. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/** Where a process answers for a service. */
export interface Endpoint extends Place {
  readonly isReady: boolean;
  /** It is terminating, and still serves. */
  readonly isEnding: boolean;
}

const SERVICE_NAME = 'kubernetes.io/service-name';

/** The slices by `NAMESPACE/NAME` of their service. */
export function slicesByService(slices: readonly EndpointSlice[]): ReadonlyMap<string, readonly EndpointSlice[]> {
  const found = new Map<string, EndpointSlice[]>();
  for (const slice of slices) {
    const key = `${slice.metadata.namespace}/${slice.metadata.labels?.[SERVICE_NAME]}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, [slice]);
    else known.push(slice);
  }
  return found;
}

/** The ports and the processes of a slice, read once. */
interface KnownSlice {
  /** By the names of ports. */
  readonly ports: ReadonlyMap<string, number>;
  readonly processes: readonly Omit<Endpoint, 'port'>[];
}

/** A change of any service needs all slices, and some have a thousand endpoints and thousands of ports. */
const knownSlices = new WeakMap<EndpointSlice, KnownSlice>();

function read(slice: EndpointSlice): KnownSlice {
  const known = knownSlices.get(slice);
  if (known !== undefined) return known;
  const ports = new Map<string, number>();
  for (const { name, port } of slice.ports ?? []) if (port !== undefined) ports.set(name ?? '', port);
  const processes = (slice.endpoints ?? []).flatMap(({ addresses: [address = ''], conditions = {} }) => {
    const host = localPodAddress(address);
    const { ready = true, serving: serves = ready, terminating = false } = conditions;
    return host === undefined ? [] : [{ host, isReady: ready, isEnding: serves && terminating }];
  });
  const made = { ports, processes };
  knownSlices.set(slice, made);
  return made;
}

/** The processes among the endpoints of one port of a service. */
export function endpointsOf(slices: readonly EndpointSlice[], portName: string): readonly Endpoint[] {
  return slices.flatMap((slice) => {
    const { ports, processes } = read(slice);
    const port = ports.get(portName);
    return port === undefined ? [] : processes.map((each) => ({ ...each, port }));
  });
}

/** The processes that some port of a service has. */
export function processesOf(
  slices: readonly EndpointSlice[],
  portNames: readonly string[],
): readonly Omit<Endpoint, 'port'>[] {
  return slices.flatMap((slice) => {
    const { ports, processes } = read(slice);
    return portNames.some((name) => ports.has(name)) ? processes : [];
  });
}

/** Whether an endpoint of a port takes connections, without a list of all. */
export function isServed(
  slices: readonly EndpointSlice[],
  portName: string,
  isReached: (host: string) => boolean = () => true,
): boolean {
  return slices.some((slice) => {
    const { ports, processes } = read(slice);
    if (!ports.has(portName)) return false;
    return processes.some(({ host, isReady, isEnding }) => (isReady || isEnding) && isReached(host));
  });
}

/** Those that take connections: the ready ones or, if none is ready, those that are terminating and still serve. Upstream: `CategorizeEndpoints`. */
export function serving(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  const ready = endpoints.filter(({ isReady }) => isReady);
  return ready.length > 0 ? ready : endpoints.filter(({ isEnding }) => isEnding);
}
