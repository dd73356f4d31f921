export type MetricType = 'counter' | 'gauge' | 'histogram';

/** Upstream's stability level of a metric; undefined for a metric that upstream does not have. */
export type Stability = 'ALPHA' | 'BETA' | 'STABLE' | undefined;

/** One metric: its description and its labels. */
export interface MetricFacts<L extends readonly string[] = readonly string[]> {
  readonly name: string;
  readonly type: MetricType;
  readonly stability: Stability;
  readonly labels: L;
  readonly help: string;
  /** The release since which upstream deprecates it. */
  readonly deprecatedSince?: string;
  /** Upper bounds of a histogram, ascending, without infinity. */
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

/** `count` bounds, each `factor` times the previous one, with the rounding of each product as in Go. */
export function exponentialBuckets(start: number, factor: number, count: number): readonly number[] {
  const bounds: number[] = [];
  for (let bound = start; bounds.length < count; bound *= factor) bounds.push(bound);
  return bounds;
}
