import { Quantity } from '@binnacle/apimachinery/quantity';
import type { Container, PodSpec, ResourceRequirements } from '../generated/types/core-v1.js';

type Amounts = ReadonlyMap<string, Quantity>;
const COUNTED = ['cpu', 'memory'];

/**
 * Guaranteed: every container has cpu and memory limits, and requests equal to them. BestEffort: no container has a
 * request or a limit. Burstable: all others. Upstream: `pkg/apis/core/helper/qos`.
 */
export function podQosClass(podSpec: PodSpec | undefined): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const parts = consumers(podSpec);
  const requests = new Map<string, Quantity>();
  const limits = new Map<string, Quantity>();
  let guaranteed = true;
  for (const { resources } of parts) {
    addAll(requests, resources?.requests);
    const limited = addAll(limits, resources?.limits);
    if (COUNTED.some((name) => !limited.has(name))) guaranteed = false;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  return guaranteed && sameAmounts(requests, limits) ? 'Guaranteed' : 'Burstable';
}

/** Pod-level resources, even empty ones, take the place of those of the containers. */
function consumers(podSpec: PodSpec | undefined): readonly { resources?: ResourceRequirements | undefined }[] {
  const whole = podSpec?.resources;
  if (whole !== undefined) return [{ resources: whole }];
  const all: Container[] = [...(podSpec?.containers ?? []), ...(podSpec?.initContainers ?? [])];
  return all;
}

function addAll(
  sums: Map<string, Quantity>,
  amounts: Readonly<Record<string, string>> | undefined,
): ReadonlySet<string> {
  const found = new Set<string>();
  for (const name of COUNTED) {
    const text = amounts !== undefined && Object.hasOwn(amounts, name) ? amounts[name] : undefined;
    const amount = text === undefined ? undefined : Quantity.parse(text);
    if (amount === undefined || amount.sign <= 0) continue;
    found.add(name);
    const sum = sums.get(name);
    sums.set(name, sum === undefined ? amount : sum.add(amount));
  }
  return found;
}

function sameAmounts(requests: Amounts, limits: Amounts): boolean {
  if (requests.size !== limits.size) return false;
  return [...requests].every(([name, amount]) => limits.get(name)?.equals(amount) === true);
}
