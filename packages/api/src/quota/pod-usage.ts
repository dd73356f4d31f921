import type { Pod } from '../generated/types/core-v1.js';
import { Quantity } from '@binnacle/apimachinery/quantity';
import { parseTime } from '@binnacle/apimachinery/time';
import type { Amounts } from './amounts.js';

const HUGE_PAGES = 'hugepages-';
const REQUESTS = 'requests.';
const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'];
const COUNTED: ReadonlySet<string> = new Set([
  'count/pods',
  'pods',
  ...COMPUTE.flatMap((name) => [name, `${REQUESTS}${name}`, `limits.${name}`]),
]);

/** Whether pods use this quota resource. */
export function isCounted(name: string): boolean {
  if (COUNTED.has(name) || name.startsWith(HUGE_PAGES) || name.startsWith(REQUESTS + HUGE_PAGES)) return true;
  return name.startsWith(REQUESTS) && !isNative(name);
}

/**
 * Whether a pod uses resources: not once it has ended, nor when its deletion is overdue, as its node may be lost. Without `now`, in milliseconds
 * since the epoch, no deletion is overdue.
 */
export function countsForQuota(pod: Readonly<Pod>, now = -Infinity): boolean {
  const phase = pod.status?.phase;
  return phase !== 'Failed' && phase !== 'Succeeded' && now <= overdueAt(pod);
}

/** When the deletion of a pod is overdue: a second grace period after the first one has ended. Infinity: it is not being deleted. */
export function overdueAt({ metadata }: Readonly<Pod>): number {
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata ?? {};
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return Infinity;
  return parseTime(deletionTimestamp) + Number(deletionGracePeriodSeconds) * 1000;
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

function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}
