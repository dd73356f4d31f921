import { parseDuration } from '@binnacle/apimachinery/time';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { findCondition, timeOf } from '../common/index.js';

/** A value of a pod, in thousandths. */
export interface PodMetric {
  readonly value: bigint;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  /** Milliseconds over which it was measured. */
  readonly window: number;
}

/** By the name of the pod. */
export type PodMetrics = ReadonlyMap<string, PodMetric>;

/** The pods of a target, by how they count. */
export interface PodGroups {
  /** The number of pods whose metrics count. */
  readonly ready: number;
  readonly unready: readonly string[];
  readonly missing: readonly string[];
  /** The metrics of the ready pods. */
  readonly values: ReadonlyMap<string, bigint>;
}

export interface Periods {
  /** Milliseconds from the start of a pod in which its CPU counts only while it is ready. */
  readonly cpuInitialization: number;
  /** Milliseconds from the start of a pod in which it may become ready for the first time. */
  readonly initialReadiness: number;
}

/** Upstream: `groupPods`. */
export function groupPods(
  pods: readonly Pod[],
  metrics: PodMetrics,
  isCpu: boolean,
  periods: Periods,
  now: number,
): PodGroups {
  const values = new Map([...metrics].map(([name, { value }]) => [name, value]));
  const unready: string[] = [];
  const missing: string[] = [];
  let ready = 0;
  for (const pod of pods) {
    const { name = '', deletionTimestamp } = pod.metadata;
    const phase = pod.status?.phase;
    const metric = metrics.get(name);
    if (deletionTimestamp !== undefined || phase === 'Failed') {
      values.delete(name);
    } else if (phase === 'Pending') {
      unready.push(name);
      values.delete(name);
    } else if (metric === undefined) {
      missing.push(name);
    } else if (isCpu && isStarting(pod, metric, periods, now)) {
      unready.push(name);
      values.delete(name);
    } else {
      ready++;
    }
  }
  return { ready, unready, missing, values };
}

/** Whether the CPU of a pod says nothing yet about its load. */
function isStarting({ status }: Pod, metric: PodMetric, periods: Periods, now: number): boolean {
  const condition = findCondition(status?.conditions, 'Ready');
  const started = timeOf(status?.startTime);
  if (condition === undefined || started === undefined) return true;
  const since = timeOf(condition.lastTransitionTime) ?? 0;
  const isUnready = condition.status === 'False';
  if (started + periods.cpuInitialization > now) return isUnready || metric.timestamp < since + metric.window;
  return isUnready && started + periods.initialReadiness > since;
}

/** Milliseconds since the epoch; 0 for a text that is not a time. */
export function metricTime(text: unknown): number {
  return typeof text === 'string' ? (timeOf(text) ?? 0) : 0;
}

/** Milliseconds of a text such as `30s`; 0 for others. */
export function metricWindow(text: unknown): number {
  try {
    return typeof text === 'string' ? Number(parseDuration(text) / 1_000_000n) : 0;
  } catch {
    return 0;
  }
}
