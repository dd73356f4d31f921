import { CostLimitError } from '../evaluation-error.js';

/** What evaluation of parts costs, in cel-go's units. Upstream: cel-go `common/cost.go`, `interpreter/runtimecost.go`. */
export const SELECT_COST = 1;
export const LIST_COST = 10;
export const MAP_COST = 30;
export const STRUCT_COST = 40;
/** Of each value that a comparison looks at, where that is more than the call costs. Ours: it bounds comparisons of nested lists. */
export const VISIT_COST = 0.1;

/** Counts down what an evaluation may cost, so that none takes the process away from everybody else. */
export class Budget {
  readonly #limit: number;
  #spent = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get spent(): number {
    return this.#spent;
  }

  /** Throws `CostLimitError` when more is spent than was allowed. */
  charge(cost: number): void {
    this.#spent += cost;
    if (this.#spent > this.#limit) throw new CostLimitError();
  }
}
