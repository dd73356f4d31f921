import type { Pod } from '@binnacle/api/types/core-v1';
import { Quantity } from '@binnacle/apimachinery/quantity';
import { type Amounts, amountsOf } from '../amounts.js';

const HUGE_PAGES = 'hugepages-';
const REQUESTS = 'requests.';
const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'];
const COUNTED: ReadonlySet<string> = new Set([
  'count/pods',
  'pods',
  ...COMPUTE.flatMap((name) => [name, `${REQUESTS}${name}`, `limits.${name}`]),
]);
/**
 * The resources that every container must set when a quota limits them. Upstream calls this a mistake that it keeps for
 * compatibility.
 */
const MUST_BE_SET: ReadonlySet<string> = new Set(
  ['cpu', 'memory'].flatMap((name) => [name, `${REQUESTS}${name}`, `limits.${name}`]),
);

/** Whether pods use this quota resource. */
export function isCounted(name: string): boolean {
  if (COUNTED.has(name) || name.startsWith(HUGE_PAGES) || name.startsWith(REQUESTS + HUGE_PAGES)) return true;
  return name.startsWith(REQUESTS) && !isNative(name);
}

/** The usage of requests and limits, by quota resource. */
export function podComputeUsage(requests: Amounts, limits: Amounts): Map<string, Quantity> {
  const usage = new Map([['pods', Quantity.of(1)]]);
  for (const name of COMPUTE) {
    const request = requests.get(name);
    const limit = limits.get(name);
    if (request !== undefined) usage.set(name, request).set(REQUESTS + name, request);
    if (limit !== undefined) usage.set(`limits.${name}`, limit);
  }
  for (const [name, request] of requests) {
    if (name.startsWith(HUGE_PAGES)) usage.set(name, request);
    if (name.startsWith(HUGE_PAGES) || (!isNative(name) && !name.startsWith(REQUESTS))) {
      usage.set(REQUESTS + name, request);
    }
  }
  return usage;
}

/** The message for containers that do not set these quota resources; undefined when all do. */
export function missingFromPod(pod: Pod, resourceNames: readonly string[]): string | undefined {
  const required = resourceNames.filter((name) => MUST_BE_SET.has(name));
  const missing = new Map<string, Set<string>>();
  for (const { name: container, resources } of [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])]) {
    const stated = podComputeUsage(amountsOf(resources?.requests), amountsOf(resources?.limits));
    for (const name of required) {
      if (!stated.has(name)) missing.set(name, (missing.get(name) ?? new Set()).add(container));
    }
  }
  if (missing.size === 0) return undefined;
  const parts = [...missing.keys()]
    .sort()
    .map((name) => `${name} for: ${[...(missing.get(name) ?? [])].sort().join(',')}`);
  return `must specify ${parts.join('; ')}`;
}

function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}
