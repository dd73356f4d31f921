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
  /** It ends, and serves still. */
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

/** The processes among the endpoints of one port of a service. */
export function endpointsOf(slices: readonly EndpointSlice[], portName: string): readonly Endpoint[] {
  return slices.flatMap(({ endpoints, ports }) => {
    const port = (ports ?? []).find(({ name }) => (name ?? '') === portName)?.port;
    if (port === undefined) return [];
    return (endpoints ?? []).flatMap(({ addresses: [address = ''], conditions = {} }) => {
      const host = localPodAddress(address);
      const { ready = true, serving = ready, terminating = false } = conditions;
      return host === undefined ? [] : [{ host, port, isReady: ready, isEnding: serving && terminating }];
    });
  });
}

/** Those that take connections: the ready ones, or those that end and serve if none is ready. Upstream: `CategorizeEndpoints`. */
export function serving(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  const ready = endpoints.filter(({ isReady }) => isReady);
  return ready.length > 0 ? ready : endpoints.filter(({ isEnding }) => isEnding);
}
