import { formatIpAddress, parseIpAddress } from '@binnacle/apimachinery/validation';
import { Pace, type Steps } from '@binnacle/apimachinery/work';
import type { EndpointAddress, EndpointPort as SubsetPort, Endpoints } from '@binnacle/client/kinds/core/v1';
import type { Endpoint, EndpointPort } from '@binnacle/client/kinds/discovery/v1';
import {
  type AddressSet,
  type AddressType,
  addressTypeOf,
  endpointKey,
  orderSlicePorts,
  packSubsets,
  portsKey,
} from '../serviceendpoints/index.js';

const PORTS_PER_STEP = 500;

/** The endpoints of one type of addresses that share their ports: one slice. */
export interface Group {
  readonly addressType: AddressType;
  /** In the order of slices. */
  readonly ports: readonly EndpointPort[];
  /** One for each {@link endpointKey}. */
  readonly endpoints: readonly Endpoint[];
}

export interface Desired {
  /** By {@link groupKey}. */
  readonly groups: ReadonlyMap<string, Group>;
  /** Addresses that are not IP addresses. */
  readonly invalid: number;
  /** Addresses that are not mirrored, with the invalid ones. */
  readonly skipped: number;
}

/** `ports` is the key of the ports. */
export function groupKey(addressType: string, ports: string): string {
  return `${addressType} ${ports}`;
}

/**
 * The groups of the Endpoints, with at most `maximum` addresses of each set of ports. Those beyond are only counted: Endpoints with thousands of
 * addresses and ports may have millions of pairs.
 */
export function* desiredGroups({ subsets }: Endpoints, maximum: number): Steps<Desired> {
  const endpointOf = sharedEndpoints();
  const packed = yield* packSubsets(subsets ?? [], (set) => mirrored(set, maximum, endpointOf));
  const groups = new Map<string, Group>();
  const pace = new Pace(PORTS_PER_STEP);
  let invalid = 0;
  let skipped = 0;
  for (const { ports, addresses } of packed ?? []) {
    const slicePorts = yield* orderSlicePorts(ports.map(slicePort));
    const key = portsKey(slicePorts);
    for (const addressType of ['IPv4', 'IPv6'] as const) {
      const group = { addressType, ports: slicePorts, endpoints: addresses[addressType] };
      groups.set(groupKey(addressType, key), group);
    }
    invalid += addresses.invalid;
    skipped += addresses.skipped;
    if (pace.endsStep(ports.length)) yield;
  }
  return { groups, invalid, skipped };
}

interface Mirrored {
  readonly IPv4: readonly Endpoint[];
  readonly IPv6: readonly Endpoint[];
  /** Counted only until the maximum is mirrored. */
  readonly invalid: number;
  readonly skipped: number;
}

function mirrored(set: AddressSet, maximum: number, endpointOf: EndpointOf): Mirrored {
  const found = { IPv4: new Map<string, Endpoint>(), IPv6: new Map<string, Endpoint>() };
  let valid = 0;
  let invalid = 0;
  for (const ready of [true, false]) {
    for (const address of ready ? set.ready() : set.notReady()) {
      if (valid >= maximum) break;
      const endpoint = endpointOf(address, ready);
      if (endpoint === undefined) {
        invalid++;
        continue;
      }
      valid++;
      found[endpoint.addressType].set(endpoint.key, endpoint.endpoint);
    }
  }
  return { IPv4: [...found.IPv4.values()], IPv6: [...found.IPv6.values()], invalid, skipped: set.size - valid };
}

interface MirroredEndpoint {
  readonly addressType: AddressType;
  readonly key: string;
  readonly endpoint: Endpoint;
}

/** Undefined for an address that is not an IP address. */
type EndpointOf = (address: EndpointAddress, ready: boolean) => MirroredEndpoint | undefined;

/** Groups share their endpoints, as many groups may have the same addresses. */
function sharedEndpoints(): EndpointOf {
  const ready = new Map<EndpointAddress, MirroredEndpoint | undefined>();
  const notReady: typeof ready = new Map();
  return (address, isReady) => {
    const known = isReady ? ready : notReady;
    if (!known.has(address)) known.set(address, mirroredEndpoint(address, isReady));
    return known.get(address);
  };
}

function mirroredEndpoint(address: EndpointAddress, ready: boolean): MirroredEndpoint | undefined {
  const { ip: text, hostname = '', nodeName, targetRef } = address;
  const ip = parseIpAddress(text);
  if (ip === undefined) return undefined;
  const endpoint: Endpoint = {
    addresses: [formatIpAddress(ip)],
    conditions: { ready },
    ...(hostname === '' ? {} : { hostname }),
    ...(targetRef === undefined ? {} : { targetRef }),
    ...(nodeName === undefined ? {} : { nodeName }),
  };
  return { addressType: addressTypeOf(ip), key: endpointKey(endpoint), endpoint };
}

function slicePort({ name = '', port, protocol = 'TCP', appProtocol }: SubsetPort): EndpointPort {
  return { name, protocol, port, ...(appProtocol === undefined ? {} : { appProtocol }) };
}
