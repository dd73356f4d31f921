import type { PodSpec } from '../generated/types/core-v1.js';
import { containerTotals } from '../pods/index.js';
import { hasNone } from './values.js';

type ResourceList = { [key: string]: string };

/**
 * Completes pod-level resources where a client set some of them. Huge page limits come from the containers, requests
 * from the containers and then from the pod's own limits. Runs after the containers' requests are complete.
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

function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

function setIfAbsent(list: ResourceList, name: string, amount: string): void {
  if (!Object.hasOwn(list, name)) list[name] = amount;
}
