import { hasFinalizer } from '@binnacle/client/controller';
import type { Node, Service } from '@binnacle/client/kinds/core/v1';
import type { AddressRange } from './address-range.js';

export const FINALIZER = 'service.kubernetes.io/load-balancer-cleanup';

const EXCLUDED = 'node.kubernetes.io/exclude-from-external-load-balancers';
const TO_BE_DELETED = 'ToBeDeletedByClusterAutoscaler';

/** What to do for a service. */
export type Operation = 'ensure' | 'delete' | 'none';

export function operationFor(service: Service): Operation {
  const { metadata, spec } = service;
  const isOver = metadata.deletionTimestamp !== undefined || spec?.type !== 'LoadBalancer';
  if (isOver) return hasFinalizer(service, FINALIZER) ? 'delete' : 'none';
  return wantsLoadBalancer(service) ? 'ensure' : 'none';
}

/** Services of a class have a controller of their own. */
export function wantsLoadBalancer({ spec }: Service): boolean {
  return spec?.type === 'LoadBalancer' && spec.loadBalancerClass === undefined;
}

export function addressesOf({ status }: Service): readonly string[] {
  return (status?.loadBalancer?.ingress ?? []).map(({ ip }) => ip).filter((ip) => ip !== undefined);
}

/**
 * The addresses of the service's load balancer, one for each family with a range. It is the one that the service asks
 * for, the one it has, or the lowest free one. Throws if there is none. `isFree`: whether no other service has the
 * address.
 */
export function assignAddresses(
  service: Service,
  ranges: readonly AddressRange[],
  isFree: (address: string) => boolean,
): readonly string[] {
  const { ipFamilies = ['IPv4'], loadBalancerIP: wanted = '' } = service.spec ?? {};
  if (wanted !== '') return [requestedAddress(wanted, ranges, isFree)];
  const present = addressesOf(service).filter(isFree);
  const addresses = ipFamilies.flatMap((family) => {
    const own = ranges.filter((range) => range.family === family);
    if (own.length === 0) return [];
    const kept = present.find((address) => own.some((range) => range.contains(address)));
    return [kept ?? lowestFree(own, isFree)];
  });
  if (addresses.length === 0) throw new Error(`there is no range of addresses for ${ipFamilies.join(' and ')}`);
  return addresses;
}

function requestedAddress(
  wanted: string,
  ranges: readonly AddressRange[],
  isFree: (address: string) => boolean,
): string {
  if (!ranges.some((range) => range.contains(wanted))) throw new Error(`${wanted} is not in ${ranges.join(',')}`);
  if (!isFree(wanted)) throw new Error(`${wanted} is the address of another service`);
  return wanted;
}

function lowestFree(ranges: readonly AddressRange[], isFree: (address: string) => boolean): string {
  for (const range of ranges) {
    const address = range.lowest(isFree);
    if (address !== undefined) return address;
  }
  throw new Error(`all addresses of ${ranges.join(',')} are taken`);
}

/** Equal for services whose load balancers are equal. Upstream: `needsUpdate`. */
export function fingerprint({ metadata, spec }: Service): string {
  const { loadBalancerSourceRanges, ports, sessionAffinity, sessionAffinityConfig, loadBalancerIP } = spec ?? {};
  const { externalIPs, externalTrafficPolicy, healthCheckNodePort, ipFamilies } = spec ?? {};
  return JSON.stringify([
    metadata.uid,
    Object.entries(metadata.annotations ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .sort(),
    [loadBalancerSourceRanges, ports, sessionAffinity, sessionAffinityConfig, loadBalancerIP],
    [externalIPs, externalTrafficPolicy, healthCheckNodePort, ipFamilies?.length],
  ]);
}

/** Whether load balancers send traffic to the node. It does not depend on readiness, which changes often. */
export function isBackend({ metadata, spec }: Node): boolean {
  const isLeaving = spec?.taints?.some(({ key }) => key === TO_BE_DELETED) === true;
  return metadata.deletionTimestamp === undefined && isIncluded(metadata.labels) && !isLeaving;
}

/** Go's `strconv.ParseBool` reads the label; a malformed value excludes. */
export function isIncluded(labels: { readonly [key: string]: string } | undefined): boolean {
  const value = labels?.[EXCLUDED];
  return value === undefined || ['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(value);
}
