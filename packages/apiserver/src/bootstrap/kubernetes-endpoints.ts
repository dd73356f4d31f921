import type { EndpointAddress, Endpoints, EndpointSubset } from '@binnacle/api/types/core-v1';
import type { Endpoint, EndpointSlice } from '@binnacle/api/types/discovery-v1';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';

const SKIP_MIRROR = 'endpointslice.kubernetes.io/skip-mirror';
const SLICE_LABELS = { 'kubernetes.io/service-name': 'kubernetes' };
const PORT = { name: 'https', protocol: 'TCP' };

/** The endpoints of the `kubernetes` service with the server's own address, in both kinds that clients read. */
export function kubernetesEndpoints(address: string, port: number): KubernetesObject[] {
  const metadata = { name: 'kubernetes', namespace: 'default' };
  const subset = { addresses: [{ ip: address }], ports: [{ ...PORT, port }] };
  const endpoints: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { ...metadata, labels: { [SKIP_MIRROR]: 'true' } },
    subsets: [subset],
  };
  const slice: KubernetesObject = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { ...metadata, labels: { ...SLICE_LABELS } },
    addressType: addressTypeOf(subset),
    endpoints: endpointsOf(subset),
    ports: subset.ports,
  };
  return [endpoints, slice];
}

/**
 * Gives altered endpoints the addresses of the servers and no others, in place. Their ports stay. Upstream:
 * `checkEndpointSubsetFormatWithLease` of `pkg/controlplane/reconcilers`.
 */
export function correctEndpoints(endpoints: Endpoints, servers: readonly string[], port: number): void {
  const wanted = servers.map((ip) => ({ ip }));
  endpoints.metadata = { ...endpoints.metadata, labels: { ...endpoints.metadata?.labels, [SKIP_MIRROR]: 'true' } };
  const [subset, ...others] = endpoints.subsets ?? [];
  if (subset === undefined || others.length > 0) {
    endpoints.subsets = [{ addresses: wanted, ports: [{ ...PORT, port }] }];
    return;
  }
  const { addresses = [] } = subset;
  const present = new Set(addresses.map(({ ip }) => ip));
  const isRight = addresses.length === servers.length && servers.every((ip) => present.has(ip));
  if (!isRight) subset.addresses = wanted;
}

/** Gives an altered slice what the endpoints say, in place. Upstream: `pkg/controlplane` `reconcilers/endpointsadapter.go`. */
export function correctSlice(slice: EndpointSlice, { subsets = [] }: Endpoints): void {
  slice.metadata = { ...slice.metadata, labels: { ...SLICE_LABELS } };
  slice.endpoints = endpointsOf(subsets[0]);
  slice.ports = subsets[0]?.ports?.map(({ name, port, protocol }) => ({ name, port, protocol }));
}

/** The address type of the slice of these endpoints, which cannot change. */
export function sliceTypeOf({ subsets = [] }: Endpoints): 'IPv4' | 'IPv6' {
  return addressTypeOf(subsets[0]);
}

function addressTypeOf({ addresses = [], notReadyAddresses = [] }: EndpointSubset = {}): 'IPv4' | 'IPv6' {
  const all = [...addresses, ...notReadyAddresses];
  return all.length > 0 && all.every(isIPv6) ? 'IPv6' : 'IPv4';
}

function endpointsOf(subset: EndpointSubset = {}): Endpoint[] {
  const ofType = addressTypeOf(subset) === 'IPv6';
  const endpoints = (addresses: readonly EndpointAddress[], ready: boolean): Endpoint[] =>
    addresses
      .filter((address) => isIPv6(address) === ofType)
      .map(({ ip, targetRef, nodeName }) => ({
        addresses: [ip],
        conditions: { ready },
        ...(targetRef === undefined ? {} : { targetRef }),
        ...(nodeName === undefined ? {} : { nodeName }),
      }));
  return [...endpoints(subset.addresses ?? [], true), ...endpoints(subset.notReadyAddresses ?? [], false)];
}

function isIPv6({ ip }: EndpointAddress): boolean {
  return ip.includes(':');
}
