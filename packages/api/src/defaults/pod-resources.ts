import { Quantity } from '@binnacle/apimachinery/quantity';
import type { PodSpec } from '../generated/types/core-v1.js';
import { hasNone } from './values.js';

type Amounts = Map<string, Quantity>;
type ResourceList = { [key: string]: string };

/**
 * Completes the resources of a pod as a whole, where a client gave some of them: limits of huge pages from its containers, then
 * requests from its containers, then requests from its own limits. Runs after the containers' own requests are complete.
 *
 * Upstream: `defaultHugePagePodLimits` and `defaultPodRequests`.
 */
export function defaultPodResources(spec: PodSpec): void {
  const resources = spec.resources;
  if (!resources || (hasNone(resources.limits) && hasNone(resources.requests))) return;
  const limits: ResourceList = { ...resources.limits };
  for (const [name, amount] of containerTotals(spec, 'limits')) {
    if (isHugePages(name) && !Object.hasOwn(resources.requests ?? {}, name))
      setIfAbsent(limits, name, amount.toString());
  }
  if (hasNone(limits)) return;
  resources.limits = limits;
  const requests: ResourceList = { ...resources.requests };
  for (const [name, amount] of containerTotals(spec, 'requests')) {
    if (name === 'cpu' || name === 'memory') setIfAbsent(requests, name, amount.toString());
  }
  for (const [name, amount] of Object.entries(limits)) {
    if (name === 'cpu' || name === 'memory' || isHugePages(name)) setIfAbsent(requests, name, amount);
  }
  if (!hasNone(requests)) resources.requests = requests;
}

/** What the pod needs at its greediest moment: while it runs, or while one of its init containers does. */
function containerTotals(spec: PodSpec, part: 'limits' | 'requests'): Amounts {
  const running: Amounts = new Map();
  const sidecars: Amounts = new Map();
  const initializing: Amounts = new Map();
  for (const container of spec.containers ?? []) addAll(running, amountsOf(container.resources?.[part]));
  for (const container of spec.initContainers ?? []) {
    const own = amountsOf(container.resources?.[part]);
    if (container.restartPolicy === 'Always') {
      addAll(running, own);
      addAll(sidecars, own);
      raiseAll(initializing, sidecars);
    } else {
      const together = new Map(own);
      addAll(together, sidecars);
      raiseAll(initializing, together);
    }
  }
  raiseAll(running, initializing);
  return running;
}

function amountsOf(list: ResourceList | undefined): Amounts {
  return new Map(Object.entries(list ?? {}).map(([name, amount]) => [name, Quantity.parse(amount)]));
}

function addAll(target: Amounts, source: Amounts): void {
  for (const [name, amount] of source) target.set(name, target.get(name)?.add(amount) ?? amount);
}

function raiseAll(target: Amounts, source: Amounts): void {
  for (const [name, amount] of source) {
    const present = target.get(name);
    if (present === undefined || amount.compare(present) > 0) target.set(name, amount);
  }
}

function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

function setIfAbsent(list: ResourceList, name: string, amount: string): void {
  if (!Object.hasOwn(list, name)) list[name] = amount;
}
