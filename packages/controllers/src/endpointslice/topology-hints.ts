import { Pace, type Steps } from '@binnacle/apimachinery/work';
import type { Endpoint, EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import { withHints } from './traffic-hints.js';
import { leastEndpoints, type ZoneShares } from './zone-shares.js';

const MOVES_PER_STEP = 2000;

/** The endpoints of one service and one type of addresses. */
export interface HintInput {
  /** Slices that are written anyway. */
  readonly changed: readonly EndpointSlice[];
  readonly unchanged: readonly EndpointSlice[];
  readonly shares: ZoneShares | undefined;
}

export type HintOutcome =
  /** `hinted` are the slices of the input, in its order; a slice that needs no other hints is the same object. */
  | { readonly hinted: readonly EndpointSlice[]; readonly allocated: ReadonlyMap<string, number> }
  /** Why the slices have no hints. */
  | { readonly problem: string };

/** How many endpoints a zone may and should have. */
interface Allocation {
  readonly maximum: number;
  readonly desired: number;
}

type Counts = Map<string, number>;

/**
 * Allocates endpoints to zones in proportion to the zones' CPU. Each goes first to its own zone; then zones with too
 * many pass some to those with too few. Upstream: `TopologyCache.AddHints`.
 */
export function* topologyHints({ changed, unchanged, shares }: HintInput): Steps<HintOutcome> {
  const all = [...changed, ...unchanged];
  const ready = all.flatMap(({ endpoints }) => endpoints ?? []).filter(isReady).length;
  const allocations = allocate(shares, ready);
  if (typeof allocations === 'string') return { problem: allocations };
  const allocated: Counts = new Map();
  const kept = new Set(unchanged.filter((slice) => keepHints(slice, allocated, allocations)));
  yield;
  const open = all.filter((slice) => !kept.has(slice));
  const endpoints = open.flatMap((slice) => slice.endpoints ?? []).filter(isReady);
  const zones = new Map<Endpoint, string>();
  for (const endpoint of endpoints) {
    const { zone = '' } = endpoint;
    if (zone === '') return { problem: 'One or more endpoints do not have a zone specified' };
    zones.set(endpoint, zone);
    add(allocated, zone, 1);
  }
  yield;
  yield* redistribute(zones, allocated, allocations);
  if (allocated.size === 0) return { problem: 'No hints allocated for zones' };
  const hintsOf = (endpoint: Endpoint) => {
    const zone = zones.get(endpoint);
    return zone === undefined ? endpoint.hints : { forZones: [{ name: zone }] };
  };
  return { hinted: all.map((slice) => (kept.has(slice) ? slice : withHints(slice, hintsOf))), allocated };
}

/** A text says why there is no allocation. */
function allocate(shares: ZoneShares | undefined, endpoints: number): ReadonlyMap<string, Allocation> | string {
  if (shares === undefined) {
    return 'Insufficient Node information: allocatable CPU or zone not specified on one or more nodes';
  }
  const counts = `(${endpoints} endpoints, ${shares.size} zones)`;
  if (shares.size > endpoints) return `Insufficient number of endpoints ${counts}`;
  const minima = [...shares.values()].map((share) => leastEndpoints(share, endpoints));
  const spare = endpoints - minima.reduce((sum, minimum) => sum + minimum, 0);
  if (spare < 0) {
    return `Unable to allocate minimum required endpoints to each zone without exceeding overload threshold ${counts}`;
  }
  return new Map(
    [...shares].map(([zone, share]) => {
      const minimum = leastEndpoints(share, endpoints);
      return [zone, { maximum: minimum + spare, desired: Math.max(share * endpoints, minimum) }];
    }),
  );
}

/** Whether the hints of an unchanged slice still fit. If so, adds them to `allocated`. */
function keepHints(slice: EndpointSlice, allocated: Counts, allocations: ReadonlyMap<string, Allocation>): boolean {
  const counts: Counts = new Map();
  for (const { hints } of (slice.endpoints ?? []).filter(isReady)) {
    const zones = hints?.forZones ?? [];
    if (zones.length === 0 || zones.some(({ name }) => !allocations.has(name))) return false;
    for (const { name } of zones) add(counts, name, 1);
  }
  const fits = [...counts].every(([zone, count]) => {
    return count + (allocated.get(zone) ?? 0) <= (allocations.get(zone)?.maximum ?? 0);
  });
  if (fits) for (const [zone, count] of counts) add(allocated, zone, count);
  return fits;
}

/** Moves endpoints from zones with too many to zones with too few. */
function* redistribute(
  zones: Map<Endpoint, string>,
  allocated: Counts,
  allocations: ReadonlyMap<string, Allocation>,
): Steps<void> {
  const { giving, receiving } = yield* imbalance(allocated, allocations);
  const pace = new Pace(MOVES_PER_STEP);
  for (const [endpoint, zone] of zones) {
    const [receiver] = receiving.keys();
    if (receiver === undefined || giving.size === 0) return;
    if (pace.endsStep()) yield;
    if (!giving.has(zone)) continue;
    zones.set(endpoint, receiver);
    take(giving, zone);
    take(receiving, receiver);
    add(allocated, receiver, 1);
    add(allocated, zone, -1);
  }
}

/** How many endpoints zones give and receive. */
function* imbalance(allocated: Counts, allocations: ReadonlyMap<string, Allocation>) {
  const surplus: Counts = new Map();
  const need: Counts = new Map();
  for (const [zone, { desired }] of allocations) {
    const difference = (allocated.get(zone) ?? 0) - desired;
    if (difference > 0) surplus.set(zone, difference);
    else if (difference < 0) need.set(zone, -difference);
  }
  const giving: Counts = new Map();
  const receiving: Counts = new Map();
  const pace = new Pace(MOVES_PER_STEP);
  for (;;) {
    if (pace.endsStep()) yield;
    const [giver, surplusLeft] = most(surplus);
    const [receiver, needLeft] = most(need);
    const isOne = surplusLeft >= 1 || needLeft >= 1;
    if (giver === '' || receiver === '' || !isOne || surplusLeft < 0.5 || needLeft < 0.5) return { giving, receiving };
    add(giving, giver, 1);
    add(surplus, giver, -1);
    add(receiving, receiver, 1);
    add(need, receiver, -1);
  }
}

function most(counts: Counts): readonly [zone: string, count: number] {
  return [...counts].reduce<readonly [string, number]>((best, each) => (each[1] > best[1] ? each : best), ['', 0]);
}

function add(counts: Counts, zone: string, count: number): void {
  counts.set(zone, (counts.get(zone) ?? 0) + count);
}

/** Subtracts one, and forgets zones that reach zero. */
function take(counts: Counts, zone: string): void {
  const left = (counts.get(zone) ?? 0) - 1;
  if (left > 0) counts.set(zone, left);
  else counts.delete(zone);
}

function isReady({ conditions }: Endpoint): boolean {
  return conditions?.ready === true;
}
