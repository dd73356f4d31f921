import type { Quantity } from '@binnacle/apimachinery/quantity';
import { amountsOf, podAmountsWithOverhead } from '@binnacle/api/quota';
import type { Container, PodSpec, PodStatus } from '@binnacle/client/kinds/core/v1';

/** Amounts by the name of the resource: thousandths of cpu, and whole numbers of all others. Beyond 2^53 they are approximate. */
export type Resources = ReadonlyMap<string, number>;

/** In scores, the requests of a container that has none. Upstream: `GetNonzeroRequests`. */
const DEFAULT_REQUESTS: readonly (readonly [string, string])[] = [
  ['cpu', '100m'],
  ['memory', `${200 * 1024 * 1024}`],
];

/** Whether the scheduler compares the requests of pods with the nodes' amount of this resource. Upstream: `Resource.Add`. */
export function isCountedResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name === 'ephemeral-storage' || isScalarResource(name);
}

/** Extended resources, huge pages and volumes of a driver. */
function isScalarResource(name: string): boolean {
  return name.includes('/') || name.startsWith('hugepages-') || name.startsWith('attachable-volumes-');
}

export function resourcesOf(texts: Readonly<Record<string, string>> | undefined): Resources {
  return measured(amountsOf(texts));
}

/** What a pod asks of its node. While a resize is in progress, the most of before and after. */
export function requestsOf(spec: PodSpec, status: PodStatus | undefined): Resources {
  return measured(podAmountsWithOverhead(spec, 'requests', status));
}

/** As {@link requestsOf}, with a default for containers that ask for no cpu or no memory. */
export function scoredRequestsOf(spec: PodSpec, status: PodStatus | undefined): Resources {
  const { containers, initContainers } = spec;
  const filled: PodSpec = { ...spec, containers: containers.map(withDefaults) };
  const all = initContainers === undefined ? filled : { ...filled, initContainers: initContainers.map(withDefaults) };
  return measured(podAmountsWithOverhead(all, 'requests', status));
}

function withDefaults(container: Container): Container {
  const requests = { ...Object.fromEntries(DEFAULT_REQUESTS), ...container.resources?.requests };
  return { ...container, resources: { ...container.resources, requests } };
}

function measured(amounts: ReadonlyMap<string, Quantity>): Resources {
  const measured = new Map<string, number>();
  for (const [name, amount] of amounts)
    measured.set(name, Number(name === 'cpu' ? amount.milliValue() : amount.asInt()));
  return measured;
}
