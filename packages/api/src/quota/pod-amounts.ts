import type { Quantity } from '@binnacle/apimachinery/quantity';
import { type Amounts, type AmountTexts, amountsOf, maximumOf, sumOf } from './amounts.js';

type Side = 'requests' | 'limits';
type Sides = { readonly [side in Side]?: AmountTexts | undefined };

/** The part of a container, or of its status, that says which resources it takes. */
export interface ContainerAmounts {
  readonly name: string;
  readonly restartPolicy?: string | undefined;
  readonly resources?: Sides | undefined;
  readonly allocatedResources?: AmountTexts | undefined;
}

/** The part of a pod's spec that says which resources the pod takes. */
export interface PodAmountsSpec {
  readonly containers?: readonly ContainerAmounts[] | undefined;
  readonly initContainers?: readonly ContainerAmounts[] | undefined;
  readonly resources?: Sides | undefined;
  readonly overhead?: AmountTexts | undefined;
}

/** The part of a pod's status that says which resources the pod has. */
export interface PodAmountsStatus {
  readonly containerStatuses?: readonly ContainerAmounts[] | undefined;
  readonly initContainerStatuses?: readonly ContainerAmounts[] | undefined;
  readonly conditions?: readonly { readonly type: string; readonly reason?: string | undefined }[] | undefined;
}

/**
 * The total resources of a pod: its containers and sidecars together, or its init containers where they need more. With a status, a resize counts
 * until it is done: a container has the most of what it asks for and what it has.
 * Upstream: component-helpers `resource.PodRequests` and `PodLimits`, without overhead.
 */
export function podAmounts(spec: PodAmountsSpec, side: Side, status?: PodAmountsStatus): Map<string, Quantity> {
  const ofContainer = amountsOfContainers(side, status);
  let running: Amounts = new Map();
  for (const container of spec.containers ?? []) running = sumOf(running, ofContainer(container));
  let sidecars: Amounts = new Map();
  let starting: Amounts = new Map();
  for (const container of spec.initContainers ?? []) {
    if (container.restartPolicy === 'Always') {
      const own = ofContainer(container);
      running = sumOf(running, own);
      sidecars = sumOf(sidecars, own);
      starting = maximumOf(starting, sidecars);
    } else {
      starting = maximumOf(starting, sumOf(amountsOf(container.resources?.[side]), sidecars));
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
export function podAmountsWithOverhead(
  spec: PodAmountsSpec,
  side: Side,
  status?: PodAmountsStatus,
): Map<string, Quantity> {
  const total = podAmounts(spec, side, status);
  for (const [name, amount] of amountsOf(spec.overhead)) {
    const present = total.get(name);
    if (present !== undefined) total.set(name, present.add(amount));
    else if (side === 'requests') total.set(name, amount);
  }
  return total;
}

/** Upstream: `determineEffectiveRequests`, `determineEffectiveLimits`. */
function amountsOfContainers(
  side: Side,
  status: PodAmountsStatus | undefined,
): (container: ContainerAmounts) => Amounts {
  const { containerStatuses = [], initContainerStatuses = [], conditions = [] } = status ?? {};
  const reported = new Map<string, ContainerAmounts>();
  for (const each of [...containerStatuses, ...initContainerStatuses]) reported.set(each.name, each);
  const isInfeasible = conditions.find(({ type }) => type === 'PodResizePending')?.reason === 'Infeasible';
  return ({ name, resources }) => {
    const wanted = amountsOf(resources?.[side]);
    const has = reported.get(name);
    if (has?.resources === undefined) return wanted;
    const actual = amountsOf(has.resources[side]);
    const allocated = side === 'requests' ? amountsOf(has.allocatedResources) : new Map<string, Quantity>();
    return maximumOf(isInfeasible ? new Map() : wanted, maximumOf(actual, allocated));
  };
}

function isPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
}
