/** A counter or gauge. */
export class NumberSeries {
  value = 0;
}

/** Counts observations by size. */
export class HistogramSeries {
  readonly bounds: readonly number[];
  /** By bucket, not cumulative; the last one has no upper bound. */
  readonly counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number): void {
    this.add(value, this.bucketOf(value), 1);
  }

  protected bucketOf(value: number): number {
    const { bounds } = this;
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket++;
    return bucket;
  }

  protected add(value: number, bucket: number, observations: number): void {
    const { counts } = this;
    counts[bucket] = (counts[bucket] ?? 0) + observations;
    this.sum += value * observations;
  }
}

export type Series = NumberSeries | HistogramSeries;
