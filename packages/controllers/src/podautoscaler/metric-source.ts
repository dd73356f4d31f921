import { labelSelectorFromObject, type LabelSelector, type LabelSelectorObject } from '@binnacle/apimachinery/labels';
import { Quantity } from '@binnacle/apimachinery/quantity';
import type { MetricStatus } from '@binnacle/client/kinds/autoscaling/v2';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import type { MetricsApi } from './metrics-api.js';
import type { Periods } from './pod-metrics.js';
import { MetricsError, type Tolerances } from './replica-calculator.js';

/** The target of an autoscaler, as one metric sees it. */
export interface MetricTargetState {
  readonly namespace: string;
  readonly selector: LabelSelector;
  /** The pods that the selector matches. */
  readonly pods: readonly Pod[];
  readonly specReplicas: number;
  readonly statusReplicas: number;
  readonly tolerances: Tolerances;
  readonly periods: Periods;
  readonly now: number;
}

/** The size that one metric asks for. */
export interface Proposal {
  readonly replicas: number;
  /** For the reason of a change. */
  readonly name: string;
  readonly status: MetricStatus;
}

/** Where metrics come from. */
export interface MetricReader {
  readonly api: MetricsApi;
  readonly signal: AbortSignal;
}

/** How to ask for one metric. */
export interface MetricSource {
  /** The reason of the condition when it fails, such as `FailedGetResourceMetric`. */
  readonly reason: string;
  /** The text of a failure in the summary of all metrics. */
  readonly summary: (message: string) => string;
  /** Rejects with a {@link MetricsError}. */
  readonly propose: () => Promise<Proposal>;
}

/** Puts these words before the message of a failure. */
export async function named<T>(what: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof MetricsError)) throw error;
    throw new MetricsError(`${what}: ${error.message}`);
  }
}

export function textOf(selector: LabelSelectorObject | undefined): string {
  return labelSelectorFromObject(selector).toString();
}

export function milli(text: string): bigint {
  return Quantity.parse(text).milliValue();
}

export function plain(value: bigint): string {
  return Quantity.ofMilli(value).toString();
}
