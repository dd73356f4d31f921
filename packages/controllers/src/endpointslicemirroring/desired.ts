import { formatIpAddress, parseIpAddress } from '@binnacle/apimachinery/validation';
import type { EndpointAddress, EndpointPort as SubsetPort, Endpoints } from '@binnacle/client/kinds/core/v1';
import type { Endpoint, EndpointPort } from '@binnacle/client/kinds/discovery/v1';
import {
  type AddressType,
  addressTypeOf,
  endpointKey,
  orderSlicePorts,
  portsKey,
  repackSubsets,
} from '../serviceendpoints/index.js';

/** The endpoints of one type of addresses that share their ports: one slice. */
export interface Group {
  readonly addressType: AddressType;
  /** In the order of slices. */
  readonly ports: readonly EndpointPort[];
  /** By {@link endpointKey}. */
  readonly endpoints: Map<string, Endpoint>;
}

export interface Desired {
  /** By {@link groupKey}. */
  readonly groups: ReadonlyMap<string, Group>;
  /** Addresses that are no IP addresses. */
  readonly invalid: number;
  /** Addresses that are not mirrored, with the invalid ones. */
  readonly skipped: number;
}

export function groupKey(addressType: string, ports: readonly EndpointPort[]): string {
  return `${addressType} ${portsKey(orderSlicePorts(ports))}`;
}

/** The groups of the Endpoints, with at most `maximum` addresses of each subset. */
export function desiredGroups({ subsets }: Endpoints, maximum: number): Desired {
  const groups = new Map<string, Group>();
  let invalid = 0;
  let skipped = 0;
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of repackSubsets(subsets ?? [])) {
    const slicePorts = orderSlicePorts(ports.map(slicePort));
    const own = { IPv4: groupOf(groups, 'IPv4', slicePorts), IPv6: groupOf(groups, 'IPv6', slicePorts) };
    const all = [
      ...addresses.map((address) => endpointOf(address, true)),
      ...notReadyAddresses.map((address) => endpointOf(address, false)),
    ];
    const limit = limitOf(all, maximum);
    const valid = all.slice(0, limit).filter((found) => found !== undefined);
    for (const { addressType, endpoint } of valid) own[addressType].endpoints.set(endpointKey(endpoint), endpoint);
    invalid += limit - valid.length;
    skipped += all.length - valid.length;
  }
  return { groups, invalid, skipped };
}

/** How many items there are until `maximum` of them are defined. */
function limitOf(items: readonly unknown[], maximum: number): number {
  let defined = 0;
  for (const [index, item] of items.entries()) {
    if (defined >= maximum) return index;
    if (item !== undefined) defined++;
  }
  return items.length;
}

function groupOf(groups: Map<string, Group>, addressType: AddressType, ports: readonly EndpointPort[]): Group {
  const key = groupKey(addressType, ports);
  const group = groups.get(key) ?? { addressType, ports, endpoints: new Map<string, Endpoint>() };
  groups.set(key, group);
  return group;
}

/** Undefined for an address that is no IP address. */
function endpointOf(address: EndpointAddress, ready: boolean) {
  const { ip: text, hostname = '', nodeName, targetRef } = address;
  const ip = parseIpAddress(text);
  if (ip === undefined) return undefined;
  const addressType = addressTypeOf(ip);
  const endpoint: Endpoint = {
    addresses: [formatIpAddress(ip)],
    conditions: { ready },
    ...(hostname === '' ? {} : { hostname }),
    ...(targetRef === undefined ? {} : { targetRef }),
    ...(nodeName === undefined ? {} : { nodeName }),
  };
  return { addressType, endpoint };
}

function slicePort({ name = '', port, protocol = 'TCP', appProtocol }: SubsetPort): EndpointPort {
  return { name, protocol, port, ...(appProtocol === undefined ? {} : { appProtocol }) };
}
