import type { Node } from '@binnacle/client/kinds/core/v1';
import type { NodeLifecycleSettings } from './settings.js';

/** `initial`: not judged yet. `partial`: many nodes are not ready. `full`: all of them. */
export type ZoneState = 'initial' | 'normal' | 'partial' | 'full';

/** The statuses of the conditions Ready of the nodes in each zone. */
export type ReadinessByZone = ReadonlyMap<string, readonly (string | undefined)[]>;

export interface ZonesPlan {
  readonly states: ReadonlyMap<string, ZoneState>;
  /** Nodes a second that may be evicted, for the zones where that changes. */
  readonly rates: ReadonlyMap<string, number>;
  /**
   * `stop`: no node is ready, so the fault is rather here, and evictions are taken back. `resume`: some are ready again, and get time to report.
   */
  readonly turn: 'stop' | 'resume' | undefined;
}

/** Region and zone of a node. The parts cannot contain the separator. */
export function zoneOf({ metadata }: Node): string {
  const { labels = {} } = metadata;
  const zone = labels['failure-domain.beta.kubernetes.io/zone'] ?? labels['topology.kubernetes.io/zone'] ?? '';
  const region = labels['failure-domain.beta.kubernetes.io/region'] ?? labels['topology.kubernetes.io/region'] ?? '';
  return region === '' && zone === '' ? '' : `${region}:\0:${zone}`;
}

/** A node with the label does not count in the state of its zone. */
export function countsInZone({ metadata }: Node): boolean {
  return metadata.labels?.['node.kubernetes.io/exclude-disruption'] === undefined;
}

/** Upstream: `handleDisruption`. */
export function planZones(
  known: ReadonlyMap<string, ZoneState>,
  readiness: ReadinessByZone,
  settings: NodeLifecycleSettings,
): ZonesPlan {
  const states = new Map([...readiness].map(([zone, nodes]) => [zone, stateOf(nodes, settings)]));
  const before = new Map([...readiness.keys()].map((zone) => [zone, known.get(zone) ?? 'initial']));
  const [wasFull, isFull] = [before, states].map((all) => [...all.values()].every((state) => state === 'full'));
  if (isFull === true && wasFull === true) return { states, rates: new Map(), turn: undefined };
  if (isFull === true) return { states, rates: new Map([...states.keys()].map((zone) => [zone, 0])), turn: 'stop' };
  const changed = [...states].filter(([zone, state]) => wasFull === true || before.get(zone) !== state);
  const rateOf = (zone: string, state: ZoneState) => evictionRate(readiness.get(zone)?.length ?? 0, state, settings);
  const rates = new Map(changed.map(([zone, state]) => [zone, rateOf(zone, state)]));
  return { states, rates, turn: wasFull === true ? 'resume' : undefined };
}

function stateOf(nodes: readonly (string | undefined)[], { unhealthyZoneThreshold }: NodeLifecycleSettings): ZoneState {
  const unhealthy = nodes.filter((status) => status !== 'True').length;
  if (unhealthy === nodes.length) return 'full';
  return unhealthy > 2 && unhealthy / nodes.length >= unhealthyZoneThreshold ? 'partial' : 'normal';
}

/** A zone that has failed as a whole is evicted at the usual rate, as long as others work. */
function evictionRate(size: number, state: ZoneState, settings: NodeLifecycleSettings): number {
  if (state !== 'partial') return settings.evictionRate;
  return size > settings.largeClusterThreshold ? settings.secondaryEvictionRate : 0;
}
