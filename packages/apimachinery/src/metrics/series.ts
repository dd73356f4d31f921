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
    const { bounds, counts } = this;
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket++;
    counts[bucket] = (counts[bucket] ?? 0) + 1;
    this.sum += value;
  }
}

export type Series = NumberSeries | HistogramSeries;
