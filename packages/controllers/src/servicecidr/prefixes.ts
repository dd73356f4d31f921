import {
  formatIpAddress,
  type IpAddress,
  type IpPrefix,
  maskIpAddress,
  parseIpAddress,
  parseIpPrefix,
} from '@binnacle/apimachinery/validation';
import type { IPAddress, ServiceCIDR } from '@binnacle/client/kinds/networking/v1';

/** The label with the name of the component that manages an IPAddress. */
const MANAGED_BY = 'ipaddress.kubernetes.io/managed-by';
/** The API server's allocator of services' addresses. */
const ALLOCATOR = 'ipallocator.k8s.io';

export function prefixesOf({ spec }: ServiceCIDR): readonly IpPrefix[] {
  return (spec?.cidrs ?? []).map(parseIpPrefix).filter((prefix) => prefix !== undefined);
}

/** The address of a service; undefined for an IPAddress that the API server does not manage. */
export function serviceAddress({ metadata }: IPAddress): IpAddress | undefined {
  return metadata.labels?.[MANAGED_BY] === ALLOCATOR ? parseIpAddress(metadata.name ?? '') : undefined;
}

export function overlaps(one: IpPrefix, other: IpPrefix): boolean {
  const length = Math.min(one.length, other.length);
  return one.address.family === other.address.family && isSame(one.address, other.address, length);
}

/** Whether services may have the address: not the network's own, nor the broadcast address of IPv4. Upstream: `PrefixContainsIP`. */
export function offers({ address: network, length }: IpPrefix, address: IpAddress): boolean {
  if (network.family !== address.family || !isSame(network, address, length)) return false;
  if (isSame(maskIpAddress(network, length), address, address.bytes.length * 8)) return false;
  return network.family === 6 || !isLast(address, length);
}

function isSame(one: IpAddress, other: IpAddress, length: number): boolean {
  return formatIpAddress(maskIpAddress(one, length)) === formatIpAddress(maskIpAddress(other, length));
}

/** Whether all bits after the prefix are set. */
function isLast(address: IpAddress, length: number): boolean {
  const { bytes } = maskIpAddress(address, length);
  return address.bytes.every((byte, index) => {
    const hostBits = Math.min(8, Math.max(0, (index + 1) * 8 - length));
    return byte === ((bytes[index] ?? 0) | (0xff >> (8 - hostBits)));
  });
}
