import type { Container, PodSpec } from '@binnacle/api/types/core-v1';
import type { Quantity } from '@binnacle/apimachinery/quantity';
import { type Amounts, amountsOf, maximumOf, sumOf } from './amounts.js';

type Side = 'requests' | 'limits';

/**
 * What a pod asks for as a whole: its containers and sidecars together, or more where starting up takes more. Upstream:
 * component-helpers `resource.PodRequests` and `PodLimits`, without overhead.
 */
export function podAmounts(spec: PodSpec, side: Side): Map<string, Quantity> {
  const ofContainer = (container: Container): Amounts => amountsOf(container.resources?.[side]);
  let running: Amounts = new Map();
  for (const container of spec.containers ?? []) running = sumOf(running, ofContainer(container));
  let sidecars: Amounts = new Map();
  let starting: Amounts = new Map();
  for (const container of spec.initContainers ?? []) {
    const own = ofContainer(container);
    if (container.restartPolicy === 'Always') {
      running = sumOf(running, own);
      sidecars = sumOf(sidecars, own);
      starting = maximumOf(starting, sidecars);
    } else {
      starting = maximumOf(starting, sumOf(own, sidecars));
    }
  }
  const total = maximumOf(running, starting);
  for (const [name, amount] of amountsOf(spec.resources?.[side])) {
    if (isPodLevelResource(name)) total.set(name, amount);
  }
  return total;
}

/** With what its runtime needs for itself; that is limited only where the containers are. */
export function podAmountsWithOverhead(spec: PodSpec, side: Side): Map<string, Quantity> {
  const total = podAmounts(spec, side);
  for (const [name, amount] of amountsOf(spec.overhead)) {
    const present = total.get(name);
    if (present !== undefined) total.set(name, present.add(amount));
    else if (side === 'requests') total.set(name, amount);
  }
  return total;
}

function isPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
}
