import type { EndpointPort, EndpointSubset } from '@binnacle/client/kinds/core/v1';
import type { EndpointPort as SlicePort } from '@binnacle/client/kinds/discovery/v1';
import { fnv128a } from './fnv128.js';
import { slicePortText, subsetPortText, subsetText } from './go-text.js';

/** The ports of an EndpointSlice in upstream's order, so that a controller of either make leaves the other's slices as they are. */
export function orderSlicePorts(ports: readonly SlicePort[]): readonly SlicePort[] {
  return byHash(ports, slicePortText);
}

/** The ports of a subset of Endpoints in upstream's order. Upstream: `endpoints.SortSubsets`. */
export function orderSubsetPorts(ports: readonly EndpointPort[]): readonly EndpointPort[] {
  return byHash(ports, subsetPortText);
}

export function orderSubsets(subsets: readonly EndpointSubset[]): readonly EndpointSubset[] {
  return byHash(subsets, subsetText);
}

/** Equal for ports that make one slice. `ports` are in upstream's order. Upstream: `NewPortMapKey`. */
export function portsKey(ports: readonly SlicePort[] | undefined): string {
  return (ports ?? []).map(slicePortText).join(' ');
}

/** A list of one, the usual one, is not hashed. */
function byHash<T>(items: readonly T[], textOf: (item: T) => string): readonly T[] {
  if (items.length < 2) return items;
  return items
    .map((item) => ({ item, hash: fnv128a(textOf(item)) }))
    .sort((one, other) => (one.hash < other.hash ? -1 : one.hash > other.hash ? 1 : 0))
    .map(({ item }) => item);
}
