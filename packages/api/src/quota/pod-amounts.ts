import type { Container, PodSpec } from '../generated/types/core-v1.js';
import type { Quantity } from '@binnacle/apimachinery/quantity';
import { type Amounts, amountsOf, maximumOf, sumOf } from './amounts.js';

type Side = 'requests' | 'limits';

/**
 * The total resources of a pod: its containers and sidecars together, or its init containers where they need more.
 * Upstream: component-helpers `resource.PodRequests` and `PodLimits`, without overhead.
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

/**
 * The total with the overhead of the runtime class. Overhead adds to a limit only where the containers have that limit.
 */
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
