import { CostLimitError } from '../cel/index.js';

/** How many values are read for the price of one step, about what upstream charges to compare two lists. */
const READS_PER_STEP = 5;

/**
 * Counts the values that expressions read from objects. A step charges for the size of its arguments but not for nested
 * values, so a deep comparison would be almost free. Counting reads bounds it.
 */
export class ReadCount {
  #reads = 0;
  #limit = 0;

  /** Resets the count. `cost`: the budget, in the units of a `Budget`. */
  start(cost: number): void {
    this.#reads = 0;
    this.#limit = cost * READS_PER_STEP;
  }

  /** Throws `CostLimitError` when the reads exceed the budget. */
  add(reads: number): void {
    this.#reads += reads;
    if (this.#reads > this.#limit) throw new CostLimitError();
  }

  /** The cost of the reads alone. */
  get cost(): number {
    return Math.floor(this.#reads / READS_PER_STEP);
  }
}
