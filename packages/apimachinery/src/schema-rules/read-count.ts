import { type Budget, CostLimitError } from '../cel/index.js';

/** How many values are read for the price of one step, about what upstream charges to compare two lists. */
const READS_PER_STEP = 5;

/**
 * Counts the values that expressions read from objects. A step charges for the size of its arguments but not for nested
 * values, so a deep comparison would be almost free. Counting reads bounds it.
 */
export class ReadCount {
  #reads = 0;
  #limit = 0;
  #budget: Budget | undefined;

  /** Resets the count. `cost`: the limit of the budget. The reads count as work towards its steps. */
  start(cost: number, budget: Budget): void {
    this.#reads = 0;
    this.#limit = cost * READS_PER_STEP;
    this.#budget = budget;
  }

  /** Throws `CostLimitError` when the reads exceed the budget. */
  add(reads: number): void {
    this.#reads += reads;
    this.#budget?.work(reads / READS_PER_STEP);
    if (this.#reads > this.#limit) throw new CostLimitError();
  }

  /** The cost of the reads alone. */
  get cost(): number {
    return Math.floor(this.#reads / READS_PER_STEP);
  }
}
