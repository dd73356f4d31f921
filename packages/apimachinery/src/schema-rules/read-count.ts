import { CostLimitError } from '../cel/index.js';

/** So many values are read at the price of one step. Upstream goes through two lists to compare them at a similar one. */
const READS_PER_STEP = 5;

/**
 * Counts the values that expressions take out of objects. What a step costs follows the size of its arguments, but not what
 * lies within them, so that a comparison of deep values would cost next to nothing: their reads bound it.
 */
export class ReadCount {
  #reads = 0;
  #limit = 0;

  /** Begins anew. `cost`: what may be spent, in the units of a `Budget`. */
  start(cost: number): void {
    this.#reads = 0;
    this.#limit = cost * READS_PER_STEP;
  }

  /** Throws `CostLimitError` when more has been read than can be paid. */
  add(reads: number): void {
    this.#reads += reads;
    if (this.#reads > this.#limit) throw new CostLimitError();
  }

  /** What the reads would cost alone. */
  get cost(): number {
    return Math.floor(this.#reads / READS_PER_STEP);
  }
}
