import type { EndpointAddress, EndpointPort, EndpointSubset } from '@binnacle/client/kinds/core/v1';
import { subsetPortText } from './go-text.js';
import { orderSubsetPorts, orderSubsets } from './order.js';

/** The addresses that offer a port, and whether each is ready. */
interface Offer {
  /** Undefined for subsets without ports. */
  readonly port: EndpointPort | undefined;
  readonly isReady: Map<EndpointAddress, boolean>;
}

/**
 * The canonical form of subsets: ports with the same addresses share a subset, and everything is in upstream's order. An address that is ready in one
 * subset and not ready in another is not ready. Upstream: kubernetes `pkg/api/v1/endpoints.RepackSubsets`.
 */
export function repackSubsets(subsets: readonly EndpointSubset[]): readonly EndpointSubset[] {
  const packed = new Map<string, { readonly ports: EndpointPort[]; readonly isReady: Offer['isReady'] }>();
  const numbers = new Map<EndpointAddress, number>();
  for (const { port, isReady } of offersIn(subsets, numbers)) {
    const key = [...isReady]
      .map(([address, ready]) => `${numbers.get(address) ?? 0}${ready ? '+' : '-'}`)
      .sort()
      .join(' ');
    const known = packed.get(key) ?? { ports: [], isReady };
    if (port !== undefined) known.ports.push(port);
    packed.set(key, known);
  }
  return orderSubsets([...packed.values()].map(({ ports, isReady }) => subsetOf(ports, isReady)));
}

/** `numbers` receives one number for each address. Addresses of one IP and target are one. */
function offersIn(subsets: readonly EndpointSubset[], numbers: Map<EndpointAddress, number>): Iterable<Offer> {
  const known = new Map<string, EndpointAddress>();
  const offers = new Map<string, Offer>();
  const add = (address: EndpointAddress, port: EndpointPort | undefined, ready: boolean) => {
    const identity = `${address.ip} ${address.targetRef?.uid ?? ''}`;
    const first = known.get(identity) ?? address;
    known.set(identity, first);
    if (!numbers.has(first)) numbers.set(first, numbers.size);
    const key = port === undefined ? '' : subsetPortText(port);
    const offer = offers.get(key) ?? { port, isReady: new Map() };
    offers.set(key, offer);
    offer.isReady.set(first, ready && offer.isReady.get(first) !== false);
  };
  for (const { addresses, notReadyAddresses, ports } of subsets) {
    for (const port of (ports ?? []).length === 0 ? [undefined] : (ports ?? [])) {
      for (const address of addresses ?? []) add(address, port, true);
      for (const address of notReadyAddresses ?? []) add(address, port, false);
    }
  }
  return offers.values();
}

function subsetOf(ports: readonly EndpointPort[], isReady: Offer['isReady']): EndpointSubset {
  const all = [...isReady.keys()].sort(compareAddresses);
  const addresses = all.filter((address) => isReady.get(address) === true);
  const notReadyAddresses = all.filter((address) => isReady.get(address) === false);
  return {
    ...(addresses.length === 0 ? {} : { addresses }),
    ...(notReadyAddresses.length === 0 ? {} : { notReadyAddresses }),
    ...(ports.length === 0 ? {} : { ports: orderSubsetPorts(ports) }),
  };
}

/** By IP, then those without a target, then by the target's uid. */
function compareAddresses(one: EndpointAddress, other: EndpointAddress): number {
  return compare(one.ip, other.ip) || compare(one.targetRef?.uid ?? '', other.targetRef?.uid ?? '');
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
