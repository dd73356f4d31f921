import type { EndpointSlice } from '@binnacle/api/types/discovery-v1';
import type { Service } from '@binnacle/api/types/core-v1';
import { quoteGo } from '@binnacle/apimachinery/status';
import type { BackendReference } from './registered-service.js';

/** The condition `Available` of an APIService. */
export interface Availability {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

export const PASSED: Availability = { status: 'True', reason: 'Passed', message: 'all checks passed' };

/** A backend that did not answer, or with an error. */
export function failedDiscovery(message: string): Availability {
  return { status: 'False', reason: 'FailedDiscoveryCheck', message };
}

/**
 * Why no request can reach the service; undefined if one may.
 * Upstream: kube-aggregator `pkg/controllers/status/remote`.
 */
export function unreachable(
  { namespace, name, port }: BackendReference,
  service: Readonly<Service> | undefined,
  slices: readonly Readonly<EndpointSlice>[],
): Availability | undefined {
  const subject = `service/${name} in ${quoteGo(namespace)}`;
  const no = (reason: string, message: string): Availability => ({ status: 'False', reason, message });
  if (service === undefined) return no('ServiceNotFound', `${subject} is not present`);
  if (service.spec?.type !== 'ClusterIP') return undefined;
  const servicePort = service.spec.ports?.find((each) => each.port === port);
  if (servicePort === undefined) return no('ServicePortError', `${subject} is not listening on port ${String(port)}`);
  if (slices.length === 0) return no('EndpointsNotFound', `cannot find endpointslices for ${subject}`);
  const portName = servicePort.name ?? '';
  if (slices.some((slice) => isServing(slice, portName))) return undefined;
  return no('MissingEndpoints', `endpointslices for ${subject} have no addresses with port name ${quoteGo(portName)}`);
}

function isServing({ endpoints, ports }: Readonly<EndpointSlice>, portName: string): boolean {
  const isReady = (endpoints ?? []).some(({ conditions }) => conditions?.ready !== false);
  return isReady && (ports ?? []).some(({ name, port }) => name === portName && port !== undefined);
}
