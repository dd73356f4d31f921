import { matchesNodeTerm } from '@binnacle/api/pods';
import type { Node, NodeSelector } from '@binnacle/client/kinds/core/v1';
import type { CounterSet, ResourceSlice } from '@binnacle/client/kinds/resource/v1';

/** The devices of a pool that a node reaches. */
export interface Pool {
  /** `driver/pool`. */
  readonly id: string;
  /** The driver is writing the pool, or has written it wrong: its devices cannot be allocated. */
  readonly fault?: 'incomplete' | 'invalid';
  /** The slices with devices for the node, by name. */
  readonly slices: readonly ResourceSlice[];
  /** All slices of the pool with devices. */
  readonly allSlices: readonly ResourceSlice[];
  readonly counterSets: ReadonlyMap<string, CounterSet>;
}

/** Where a slice or a device is available. */
interface Location {
  readonly nodeName?: string;
  readonly allNodes?: boolean;
  readonly nodeSelector?: NodeSelector;
}

/** Whether a node reaches the location. No node reaches a location without any of these fields. */
export function isReached({ nodeName, allNodes, nodeSelector }: Location, node: Node): boolean {
  if (nodeName !== undefined && nodeName !== '') return nodeName === node.metadata.name;
  return allNodes === true || (nodeSelector?.nodeSelectorTerms ?? []).some((term) => matchesNodeTerm(term, node));
}

/** The slices of the latest generation of each pool. */
export type PoolGenerations = ReadonlyMap<string, readonly ResourceSlice[]>;

/**
 * The pools with devices for the node, in the order in which devices are tried: by driver and name, those with binding conditions
 * last. Upstream: dynamic-resource-allocation `GatherPools`.
 */
export function poolsOf(generations: PoolGenerations, node: Node): Pool[] {
  const pools: Pool[] = [];
  for (const all of generations.values()) {
    if (!all.some((slice) => isRelevant(slice, node))) continue;
    pools.push(poolFrom(all, node));
  }
  const rank = (pool: Pool): number => (hasBindingConditions(pool) ? 1 : 0);
  return pools.toSorted((a, b) => rank(a) - rank(b));
}

/** Only the latest generation of a pool counts. The pools are in the order of their drivers and names. */
export function latestGenerations(slices: readonly ResourceSlice[]): PoolGenerations {
  const pools = new Map<string, ResourceSlice[]>();
  const inOrder = slices.toSorted(
    (a, b) =>
      compare(a.spec.driver, b.spec.driver) ||
      compare(a.spec.pool.name, b.spec.pool.name) ||
      compare(a.metadata.name ?? '', b.metadata.name ?? ''),
  );
  for (const slice of inOrder) {
    const id = `${slice.spec.driver}/${slice.spec.pool.name}`;
    const others = pools.get(id);
    const generation = others?.[0]?.spec.pool.generation ?? -Infinity;
    if (others === undefined || slice.spec.pool.generation > generation) pools.set(id, [slice]);
    else if (slice.spec.pool.generation === generation) others.push(slice);
  }
  return pools;
}

/** Counters belong to the whole pool. */
function isRelevant({ spec }: ResourceSlice, node: Node): boolean {
  if ((spec.sharedCounters ?? []).length > 0) return true;
  if (spec.perDeviceNodeSelection !== true) return isReached(spec, node);
  return (spec.devices ?? []).some((device) => isReached(device, node));
}

function poolFrom(all: readonly ResourceSlice[], node: Node): Pool {
  const [first] = all;
  const id = `${first?.spec.driver}/${first?.spec.pool.name}`;
  const counterSets = new Map<string, CounterSet>();
  const none = { id, slices: [], allSlices: [], counterSets };
  if (all.length !== first?.spec.pool.resourceSliceCount) return { ...none, fault: 'incomplete' };
  for (const set of all.flatMap(({ spec }) => spec.sharedCounters ?? [])) {
    if (counterSets.has(set.name)) return { ...none, fault: 'invalid' };
    counterSets.set(set.name, set);
  }
  const allSlices = all.filter(({ spec }) => (spec.sharedCounters ?? []).length === 0);
  const slices = allSlices.filter((slice) => isRelevant(slice, node));
  const names = slices.flatMap(({ spec }) => (spec.devices ?? []).map(({ name }) => name));
  const isValid =
    new Set(names).size === names.length && allSlices.every((slice) => hasItsCounters(slice, counterSets));
  return isValid ? { id, slices, allSlices, counterSets } : { ...none, fault: 'invalid' };
}

function hasItsCounters({ spec }: ResourceSlice, sets: ReadonlyMap<string, CounterSet>): boolean {
  const consumed = (spec.devices ?? []).flatMap(({ consumesCounters = [] }) => consumesCounters);
  return consumed.every(({ counterSet, counters }) =>
    Object.keys(counters).every((name) => Object.hasOwn(sets.get(counterSet)?.counters ?? {}, name)),
  );
}

function hasBindingConditions({ slices }: Pool): boolean {
  return slices.some(({ spec }) => spec.devices?.some(({ bindingConditions }) => bindingConditions !== undefined));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
