import type { Pod } from '@binnacle/client/kinds/core/v1';
import { isPodReady } from '../common/index.js';
import type { PodGroups } from './pod-metrics.js';

/** The number of replicas cannot be computed. The message is for the condition. */
export class MetricsError extends Error {
  override readonly name = 'MetricsError';
}

/** Fractions by which the usage may differ from its target without a change. */
export interface Tolerances {
  readonly down: number;
  readonly up: number;
}

/** How much pods use of their target. */
export interface Usage {
  readonly ratio: number;
  /** Percent of the requests; undefined for a target without requests. */
  readonly utilization?: number;
  /** A pod's share, in thousandths. */
  readonly average: bigint;
}

export interface Measured {
  readonly replicas: number;
  readonly usage: Usage;
}

const MOST = 2 ** 31 - 1;
const NO_PODS = 'no pods returned by selector while calculating replica count';
const NO_METRICS = 'did not receive metrics for targeted pods (pods might be unready)';

/** The usage of pods against a share of their requests, in percent. Upstream: `GetResourceUtilizationRatio`. */
export function utilizationOf(
  values: ReadonlyMap<string, bigint>,
  requests: ReadonlyMap<string, bigint>,
  target: number,
): Usage {
  const counted = [...values].flatMap(([pod, value]) => {
    const request = requests.get(pod);
    return request === undefined ? [] : [{ value, request }];
  });
  const requested = sumOf(counted.map(({ request }) => request));
  if (requested === 0n) throw new MetricsError('no metrics returned matched known pods');
  const total = sumOf(counted.map(({ value }) => value));
  const utilization = Number((total * 100n) / requested);
  return { ratio: utilization / target, utilization, average: total / BigInt(counted.length) };
}

/** The usage of pods against an amount for each, in thousandths. Upstream: `GetMetricUsageRatio`. */
export function averageOf(values: ReadonlyMap<string, bigint>, target: bigint): Usage {
  const average = sumOf([...values.values()]) / BigInt(values.size);
  return { ratio: Number(average) / Number(target), average };
}

/**
 * The replicas that bring the usage to its target. Pods without metrics make the change smaller, and never reverse it.
 * Upstream: `GetResourceReplicas`, `calcPlainMetricReplicas`.
 */
export function replicasForPods(
  current: number,
  { ready, unready, missing, values }: PodGroups,
  usageOf: (values: ReadonlyMap<string, bigint>) => Usage,
  fallback: (pod: string) => bigint,
  tolerances: Tolerances,
): Measured {
  if (values.size === 0) throw new MetricsError(NO_METRICS);
  const usage = usageOf(values);
  const { ratio } = usage;
  const countsUnready = unready.length > 0 && ratio > 1;
  if (!countsUnready && missing.length === 0) {
    return { replicas: isWithin(tolerances, ratio) ? current : rounded(ratio * ready), usage };
  }
  const filled = new Map(values);
  if (ratio < 1) for (const pod of missing) filled.set(pod, fallback(pod));
  if (ratio > 1) for (const pod of missing) filled.set(pod, 0n);
  if (countsUnready) for (const pod of unready) filled.set(pod, 0n);
  const next = usageOf(filled).ratio;
  const turns = (ratio < 1 && next > 1) || (ratio > 1 && next < 1);
  if (isWithin(tolerances, next) || turns) return { replicas: current, usage };
  const replicas = rounded(next * filled.size);
  const isWrongWay = (next < 1 && replicas > current) || (next > 1 && replicas < current);
  return { replicas: isWrongWay ? current : replicas, usage };
}

/** For a metric that does not come from the pods. Upstream: `getUsageRatioReplicaCount`. */
export function replicasForRatio(current: number, ratio: number, pods: readonly Pod[], tolerances: Tolerances): number {
  if (current === 0) return rounded(ratio);
  if (isWithin(tolerances, ratio)) return current;
  if (pods.length === 0) throw new MetricsError(`unable to calculate ready pods: ${NO_PODS}`);
  return rounded(ratio * pods.filter((pod) => pod.status?.phase === 'Running' && isPodReady(pod)).length);
}

/** For a metric whose value is divided among the pods. Upstream: `GetExternalPerPodMetricReplicas`. */
export function replicasForShares(
  present: number,
  value: bigint,
  target: bigint,
  tolerances: Tolerances,
): { readonly replicas: number; readonly average: bigint } {
  const ratio = Number(value) / (Number(target) * present);
  const replicas = isWithin(tolerances, ratio) ? present : rounded(Number(value) / Number(target));
  const average = present === 0 ? value : BigInt(Math.ceil(Number(value) / present));
  return { replicas, average };
}

export function checkHasPods(pods: readonly Pod[]): void {
  if (pods.length === 0) throw new MetricsError(NO_PODS);
}

export function sumOf(values: readonly bigint[]): bigint {
  return values.reduce((sum, value) => sum + value, 0n);
}

function isWithin({ down, up }: Tolerances, ratio: number): boolean {
  return 1 - down <= ratio && ratio <= 1 + up;
}

function rounded(replicas: number): number {
  return Math.min(MOST, Math.ceil(replicas));
}
