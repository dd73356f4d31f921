import type { EndpointAddress, EndpointSubset } from '@binnacle/client/kinds/core/v1';

/** The greatest number of addresses in Endpoints. Clients of larger services read EndpointSlices. */
const CAPACITY = 1000;

/**
 * The subsets with at most 1000 addresses, taken from each subset in proportion, ready ones first; the same list if it fits. Upstream:
 * `truncateEndpoints`.
 */
export function truncated(subsets: readonly EndpointSubset[], capacity = CAPACITY): readonly EndpointSubset[] {
  const ready = sum(subsets, ({ addresses }) => addresses);
  const notReady = addressCount(subsets) - ready;
  if (ready + notReady <= capacity) return subsets;
  const cutsReady = ready > capacity;
  const room = cutsReady ? capacity : capacity - ready;
  const total = cutsReady ? ready : notReady;
  let left = room;
  return subsets.map(({ addresses = [], notReadyAddresses = [], ...rest }) => {
    const list = cutsReady ? addresses : notReadyAddresses;
    const kept = list.slice(0, Math.min(left, Math.ceil((list.length / total) * room)));
    left -= kept.length;
    return { ...rest, ...lists(cutsReady ? kept : addresses, cutsReady ? [] : kept) };
  });
}

/** Addresses of several subsets count several times. */
export function addressCount(subsets: readonly EndpointSubset[]): number {
  return sum(subsets, ({ addresses }) => addresses) + sum(subsets, ({ notReadyAddresses }) => notReadyAddresses);
}

function lists(addresses: readonly EndpointAddress[], notReadyAddresses: readonly EndpointAddress[]): EndpointSubset {
  return {
    ...(addresses.length === 0 ? {} : { addresses }),
    ...(notReadyAddresses.length === 0 ? {} : { notReadyAddresses }),
  };
}

function sum(
  subsets: readonly EndpointSubset[],
  listOf: (subset: EndpointSubset) => readonly EndpointAddress[] | undefined,
): number {
  return subsets.reduce((total, subset) => total + (listOf(subset) ?? []).length, 0);
}
