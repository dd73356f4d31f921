import { HistogramSeries } from './series.js';

const NANOSECONDS_PER_MILLISECOND = 1e6;

/**
 * A histogram of a number over time, which begins with 0: each nanosecond is an observation. Times are in milliseconds; one that is before
 * the last one counts as that. Upstream: component-base `metrics/prometheusextension`.
 */
export class TimingSeries extends HistogramSeries {
  #value = 0;
  #bucket: number;
  #at: number;

  constructor(bounds: readonly number[], now: number) {
    super(bounds);
    this.#at = now;
    this.#bucket = this.bucketOf(0);
  }

  /** The number is this from now on. */
  set(value: number, now: number): void {
    this.advance(now);
    if (value === this.#value) return;
    this.#value = value;
    this.#bucket = this.bucketOf(value);
  }

  /** Observes the number until now. */
  advance(now: number): void {
    const nanoseconds = Math.round((now - this.#at) * NANOSECONDS_PER_MILLISECOND);
    if (nanoseconds <= 0) return;
    this.#at = now;
    this.add(this.#value, this.#bucket, nanoseconds);
  }
}
