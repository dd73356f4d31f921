import type { Pod } from '@binnacle/api/types/core-v1';
import { amountsOf, podComputeUsage } from '@binnacle/api/quota';

const COMPUTE = ['cpu', 'memory'];

/**
 * The resources that every container must set when a quota limits them. Upstream calls this a mistake that it keeps for
 * compatibility.
 */
const MUST_BE_SET: ReadonlySet<string> = new Set(
  COMPUTE.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
);

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
