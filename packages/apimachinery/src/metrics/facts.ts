export type MetricType = 'counter' | 'gauge' | 'histogram';

/** What upstream promises about a metric of its own; undefined = the metric is not one of upstream's. */
export type Stability = 'ALPHA' | 'BETA' | 'STABLE' | undefined;

/** One metric: what `/metrics` says of it, and what its series are told apart by. */
export interface MetricFacts<L extends readonly string[] = readonly string[]> {
  readonly name: string;
  readonly type: MetricType;
  readonly stability: Stability;
  readonly labels: L;
  readonly help: string;
  /** The release since which upstream would have another one used. */
  readonly deprecatedSince?: string;
  /** Upper bounds of a histogram, ascending, without the infinite one. */
  readonly buckets?: readonly number[];
}

/** One value for each label, in the order of the facts. */
export type LabelValues<L extends readonly string[]> = { readonly [K in keyof L]: string };

export function counterFacts<const L extends readonly string[]>(
  name: string,
  stability: Stability,
  labels: L,
  help: string,
): MetricFacts<L> {
  return { name, type: 'counter', stability, labels, help };
}

export function gaugeFacts<const L extends readonly string[]>(
  name: string,
  stability: Stability,
  labels: L,
  help: string,
): MetricFacts<L> {
  return { name, type: 'gauge', stability, labels, help };
}

export function histogramFacts<const L extends readonly string[]>(
  name: string,
  stability: Stability,
  labels: L,
  buckets: readonly number[],
  help: string,
): MetricFacts<L> {
  return { name, type: 'histogram', stability, labels, help, buckets };
}

/** `count` bounds, each `factor` times the one before it. */
export function exponentialBuckets(start: number, factor: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => start * factor ** index);
}
