import type { Endpoint, EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import { endpointKey, isSameEndpoint } from '../serviceendpoints/index.js';

/** Writes to slices. */
export interface SliceChanges {
  readonly creates: readonly EndpointSlice[];
  readonly updates: readonly EndpointSlice[];
  readonly deletes: readonly EndpointSlice[];
}

export interface FillOptions {
  /** The slices of one set of ports. */
  readonly existing: readonly EndpointSlice[];
  readonly desired: readonly Endpoint[];
  readonly maximum: number;
  /** Whether the slice needs no other labels. */
  readonly isLabelled: (slice: EndpointSlice) => boolean;
  /** The slice with current labels. */
  readonly label: (slice: EndpointSlice) => EndpointSlice;
  /** A new slice without endpoints. */
  readonly blank: () => EndpointSlice;
}

/** A slice with the endpoints that it keeps and receives. */
interface Draft {
  readonly slice: EndpointSlice;
  readonly endpoints: Endpoint[];
  isChanged: boolean;
}

/**
 * Spreads endpoints over slices with few writes: an endpoint stays in its slice, new ones go first to slices that change anyway, then to one unchanged
 * slice that has room for all of them, then to new slices. Slices are not merged. Upstream: `reconcileByPortMapping`.
 */
export function fillSlices(options: FillOptions): SliceChanges {
  const { existing, desired, maximum, isLabelled, label, blank } = options;
  const left = new Map(desired.map((endpoint) => [endpointKey(endpoint), endpoint]));
  const drafts = existing.map((slice) => draftOf(slice, left, isLabelled));
  const kept = drafts.filter((draft) => !isEmptied(draft));
  const changed = kept.filter(({ isChanged }) => isChanged);
  for (const draft of changed.sort((one, other) => other.endpoints.length - one.endpoints.length)) {
    moveInto(draft, left, maximum);
  }
  const created: Draft[] = [];
  while (left.size > 0) {
    const unchanged = kept.filter(({ isChanged }) => !isChanged);
    const fitting = left.size < maximum ? fullestWithRoom(unchanged, left.size, maximum) : undefined;
    const draft = fitting ?? { slice: blank(), endpoints: [], isChanged: true };
    draft.isChanged = true;
    moveInto(draft, left, maximum);
    if (fitting === undefined) created.push(draft);
  }
  return {
    creates: created.map(sliceOf),
    updates: kept.filter(({ isChanged }) => isChanged).map((draft) => label(sliceOf(draft))),
    deletes: drafts.filter(isEmptied).map(({ slice }) => slice),
  };
}

/** Removes the endpoints that the slice has from `left`. */
function draftOf(slice: EndpointSlice, left: Map<string, Endpoint>, isLabelled: FillOptions['isLabelled']): Draft {
  const endpoints: Endpoint[] = [];
  const before = slice.endpoints ?? [];
  let isChanged = false;
  for (const endpoint of before) {
    const key = endpointKey(endpoint);
    const wanted = left.get(key);
    if (wanted === undefined) continue;
    endpoints.push(wanted);
    isChanged ||= !isSameEndpoint(wanted, endpoint);
    left.delete(key);
  }
  isChanged ||= endpoints.length !== before.length || !isLabelled(slice);
  return { slice, endpoints, isChanged };
}

/** Whether the slice has lost its last endpoint. */
function isEmptied({ slice, endpoints }: Draft): boolean {
  return endpoints.length === 0 && (slice.endpoints ?? []).length > 0;
}

function moveInto({ endpoints }: Draft, left: Map<string, Endpoint>, maximum: number): void {
  for (const [key, endpoint] of left) {
    if (endpoints.length >= maximum) return;
    endpoints.push(endpoint);
    left.delete(key);
  }
}

/** The slice with the least room among those with enough. */
function fullestWithRoom(drafts: readonly Draft[], count: number, maximum: number): Draft | undefined {
  const fitting = drafts.filter(({ endpoints }) => endpoints.length + count <= maximum);
  return fitting.sort((one, other) => other.endpoints.length - one.endpoints.length)[0];
}

function sliceOf({ slice, endpoints }: Draft): EndpointSlice {
  return { ...slice, endpoints };
}
