import { Pace, type Steps } from '@binnacle/apimachinery/work';
import type { EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import { orderSlicePorts, portsKey } from './order.js';

const PORTS_PER_STEP = 1000;

/** Slices by the {@link portsKey} of their ports in upstream's order. */
export function* slicesByPorts(slices: readonly EndpointSlice[]): Steps<ReadonlyMap<string, readonly EndpointSlice[]>> {
  const pace = new Pace(PORTS_PER_STEP);
  const byPorts = new Map<string, EndpointSlice[]>();
  // Most slices have the same ports, in the same order. To order ports costs more than to compare them.
  const keys = new Map<string, string>();
  for (const slice of slices) {
    const ports = slice.ports ?? [];
    if (pace.endsStep(1 + ports.length)) yield;
    const asWritten = portsKey(ports);
    const key = keys.get(asWritten) ?? portsKey(yield* orderSlicePorts(ports));
    keys.set(asWritten, key);
    const known = byPorts.get(key);
    if (known === undefined) byPorts.set(key, [slice]);
    else known.push(slice);
  }
  return byPorts;
}
