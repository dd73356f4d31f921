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
/** What every container must state when a quota counts it; upstream calls that a mistake which it keeps. */
const MUST_BE_STATED: ReadonlySet<string> = new Set(
  ['cpu', 'memory'].flatMap((name) => [name, `${REQUESTS}${name}`, `limits.${name}`]),
);

/** Whether pods use what a quota calls so. */
export function isCounted(name: string): boolean {
  if (COUNTED.has(name) || name.startsWith(HUGE_PAGES) || name.startsWith(REQUESTS + HUGE_PAGES)) return true;
  return name.startsWith(REQUESTS) && !isNative(name);
}

/** What requests and limits come to in the words of quotas. */
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

/** What containers leave unsaid that these quota resources need; undefined when all is said. */
export function missingFromPod(pod: Pod, resourceNames: readonly string[]): string | undefined {
  const required = resourceNames.filter((name) => MUST_BE_STATED.has(name));
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
