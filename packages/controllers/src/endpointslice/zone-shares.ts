import { Quantity } from '@binnacle/apimachinery/quantity';
import type { Node } from '@binnacle/client/kinds/core/v1';
import { isNodeReady } from '../common/index.js';
import { ZONE } from './endpoint.js';

/** By zone, its share of the CPU of all ready nodes. */
export type ZoneShares = ReadonlyMap<string, number>;

/** A zone may receive this much more traffic than its share. */
const OVERLOAD = 0.2;

const controlPlaneLabels = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];

/** Undefined if there is only one zone, or if a node lacks its zone or its CPU. Upstream: `TopologyCache.SetNodes`. */
export function zoneShares(nodes: readonly Node[]): ZoneShares | undefined {
  const milliCpus = new Map<string, number>();
  let total = 0;
  for (const node of nodes) {
    if (isControlPlane(node) || !isNodeReady(node)) continue;
    const zone = node.metadata.labels?.[ZONE] ?? '';
    const milliCpu = Number(Quantity.parse(String(node.status?.allocatable?.['cpu'] ?? 0)).milliValue());
    if (zone === '' || milliCpu === 0) return undefined;
    milliCpus.set(zone, (milliCpus.get(zone) ?? 0) + milliCpu);
    total += milliCpu;
  }
  if (milliCpus.size < 2) return undefined;
  return new Map([...milliCpus].map(([zone, milliCpu]) => [zone, milliCpu / total]));
}

/** The least number of endpoints with which a zone of this share is not overloaded. */
export function leastEndpoints(share: number, endpoints: number): number {
  return Math.ceil(share * endpoints * (1 / (1 + OVERLOAD)));
}

/** Whether a zone has fewer endpoints than it needs. `allocated`: by zone, the endpoints that have a hint for it. */
export function isOverloaded(allocated: ReadonlyMap<string, number>, shares: ZoneShares | undefined): boolean {
  if (allocated.size === 0) return false;
  if (shares === undefined) return true;
  const total = [...allocated.values()].reduce((sum, count) => sum + count, 0);
  return [...shares].some(([zone, share]) => {
    const count = allocated.get(zone);
    return count === undefined || count < leastEndpoints(share, total);
  });
}

function isControlPlane({ metadata: { labels = {} } }: Node): boolean {
  return controlPlaneLabels.some((label) => labels[label] !== undefined);
}
