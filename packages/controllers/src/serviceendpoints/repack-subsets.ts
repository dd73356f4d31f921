import type { Steps } from '@binnacle/apimachinery/work';
import type { EndpointPort, EndpointSubset } from '@binnacle/client/kinds/core/v1';
import type { AddressSet } from './address-set.js';
import { orderSubsetPorts, orderSubsets } from './order.js';
import { packSubsets } from './pack-subsets.js';

/**
 * The canonical form of subsets: ports with the same addresses share a subset, and everything is in upstream's order. An address that is ready in one
 * subset and not ready in another is not ready. Undefined if the form has more than `most` addresses, counted in each of its subsets: it may have the
 * product of addresses and ports. Upstream: kubernetes `pkg/api/v1/endpoints.RepackSubsets`.
 */
export function* repackSubsets(
  subsets: readonly EndpointSubset[],
  most = Infinity,
): Steps<readonly EndpointSubset[] | undefined> {
  let count = 0;
  const packed = yield* packSubsets(subsets, (set) => {
    count += set.size;
    return count > most ? undefined : set;
  });
  if (packed === undefined) return undefined;
  const repacked: EndpointSubset[] = [];
  for (const { ports, addresses } of packed) {
    if (repacked.length > 0) yield;
    repacked.push(yield* subsetOf(ports, addresses));
  }
  return yield* orderSubsets(repacked);
}

function* subsetOf(ports: readonly EndpointPort[], set: AddressSet): Steps<EndpointSubset> {
  const addresses = [...set.ready()];
  const notReadyAddresses = [...set.notReady()];
  return {
    ...(addresses.length === 0 ? {} : { addresses }),
    ...(notReadyAddresses.length === 0 ? {} : { notReadyAddresses }),
    ...(ports.length === 0 ? {} : { ports: yield* orderSubsetPorts(ports) }),
  };
}
