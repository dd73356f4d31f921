import { Pace, type Steps } from '@binnacle/apimachinery/work';
import type { EndpointPort, EndpointSubset } from '@binnacle/client/kinds/core/v1';
import type { EndpointPort as SlicePort } from '@binnacle/client/kinds/discovery/v1';
import { Fnv128a } from './fnv128.js';
import { slicePortText, subsetPieces, subsetPortText } from './go-text.js';

/** A piece, such as an address, takes a few microseconds. */
const PIECES_PER_STEP = 1000;

/** The ports of an EndpointSlice in upstream's order, so that this controller and upstream's leave each other's slices as they are. */
export function orderSlicePorts(ports: readonly SlicePort[]): Steps<readonly SlicePort[]> {
  return byHash(ports, (port) => [slicePortText(port)]);
}

/** The ports of a subset of Endpoints in upstream's order. Upstream: `endpoints.SortSubsets`. */
export function orderSubsetPorts(ports: readonly EndpointPort[]): Steps<readonly EndpointPort[]> {
  return byHash(ports, (port) => [subsetPortText(port)]);
}

export function orderSubsets(subsets: readonly EndpointSubset[]): Steps<readonly EndpointSubset[]> {
  return byHash(subsets, subsetPieces);
}

/** Equal for ports that make one slice. `ports` are in upstream's order. Upstream: `NewPortMapKey`. */
export function portsKey(ports: readonly SlicePort[] | undefined): string {
  return (ports ?? []).map(slicePortText).join(' ');
}

/** By the hash of each item's text, which may come in pieces. A list of one, the usual one, is not hashed. */
function* byHash<T>(items: readonly T[], textOf: (item: T) => Iterable<string>): Steps<readonly T[]> {
  if (items.length < 2) return items;
  const pace = new Pace(PIECES_PER_STEP);
  const hashed: { readonly item: T; readonly hash: string }[] = [];
  for (const item of items) {
    const hash = new Fnv128a();
    for (const piece of textOf(item)) {
      hash.update(piece);
      if (pace.endsStep()) yield;
    }
    hashed.push({ item, hash: hash.digest() });
  }
  return hashed
    .sort((one, other) => (one.hash < other.hash ? -1 : one.hash > other.hash ? 1 : 0))
    .map(({ item }) => item);
}
