import { Pace, type Steps } from '@binnacle/apimachinery/work';
import type { Endpoint, EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import { endpointKey, isSameEndpoint } from '../serviceendpoints/index.js';

const ENDPOINTS_PER_STEP = 1000;

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
 * Spreads endpoints over slices with few writes. An endpoint stays in its slice. New ones go first to slices that
 * change anyway, then to one unchanged slice with room for all of them, then to new slices. Slices are not merged.
 * Upstream: `reconcileByPortMapping`.
 */
export function* fillSlices(options: FillOptions): Steps<SliceChanges> {
  const { maximum, label, blank } = options;
  const { drafts, left } = yield* draftsOf(options);
  const kept = drafts.filter((draft) => !isEmptied(draft));
  const changed = kept.filter(({ isChanged }) => isChanged);
  let placed = 0;
  const moveInto = ({ endpoints }: Draft) => {
    const room = Math.max(0, maximum - endpoints.length);
    endpoints.push(...left.slice(placed, placed + room));
    placed = Math.min(placed + room, left.length);
  };
  for (const draft of changed.sort(byFullness)) moveInto(draft);
  const created: Draft[] = [];
  while (placed < left.length) {
    const count = left.length - placed;
    const fitting = count < maximum ? fullestWithRoom(kept, count, maximum) : undefined;
    const draft = fitting ?? { slice: blank(), endpoints: [], isChanged: true };
    draft.isChanged = true;
    moveInto(draft);
    if (fitting === undefined) created.push(draft);
    yield;
  }
  return {
    creates: created.map(sliceOf),
    updates: kept.filter(({ isChanged }) => isChanged).map((draft) => label(sliceOf(draft))),
    deletes: drafts.filter(isEmptied).map(({ slice }) => slice),
  };
}

/** Drafts of the slices with the desired endpoints that they have, and the endpoints that are in none. */
function* draftsOf({ existing, desired, isLabelled }: FillOptions) {
  const pace = new Pace(ENDPOINTS_PER_STEP);
  const left = new Map<string, Endpoint>();
  for (const endpoint of desired) {
    left.set(endpointKey(endpoint), endpoint);
    if (pace.endsStep()) yield;
  }
  const drafts: Draft[] = [];
  for (const slice of existing) {
    drafts.push(draftOf(slice, left, isLabelled));
    if (pace.endsStep(1 + (slice.endpoints ?? []).length)) yield;
  }
  return { drafts, left: [...left.values()] };
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

/** The slice with the least room among the unchanged ones with enough. */
function fullestWithRoom(drafts: readonly Draft[], count: number, maximum: number): Draft | undefined {
  const fitting = drafts.filter(({ isChanged, endpoints }) => !isChanged && endpoints.length + count <= maximum);
  return fitting.sort(byFullness)[0];
}

function byFullness(one: Draft, other: Draft): number {
  return other.endpoints.length - one.endpoints.length;
}

function sliceOf({ slice, endpoints }: Draft): EndpointSlice {
  return { ...slice, endpoints };
}
