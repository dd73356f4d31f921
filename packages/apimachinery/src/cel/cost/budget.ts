import { CostLimitError } from '../evaluation-error.js';

/** Costs of evaluation, in cel-go's units. Upstream: cel-go `common/cost.go`, `interpreter/runtimecost.go`. */
export const SELECT_COST = 1;
export const LIST_COST = 10;
export const MAP_COST = 30;
export const STRUCT_COST = 40;
/**
 * For each value that a comparison visits, if the total exceeds the call's cost. Not in upstream; it bounds comparisons
 * of nested lists.
 */
export const VISIT_COST = 0.1;

/** A few milliseconds of evaluation. */
export const COST_PER_STEP = 5000;

/** Counts down the cost that an evaluation may spend. */
export class Budget {
  readonly #limit: number;
  #spent = 0;
  #uncharged = 0;
  #nextStep = COST_PER_STEP;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get spent(): number {
    return this.#spent;
  }

  /** Throws `CostLimitError` when the budget is exceeded. */
  charge(cost: number): void {
    this.#spent += cost;
    if (this.#spent > this.#limit) throw new CostLimitError();
  }

  /** Counts work that upstream does not charge for, in units of cost, so that steps end in time. */
  work(cost: number): void {
    this.#uncharged += cost;
  }

  /** Whether enough was spent since this last returned true that an evaluation in steps should yield. */
  endsStep(): boolean {
    const total = this.#spent + this.#uncharged;
    if (total < this.#nextStep) return false;
    this.#nextStep = total + COST_PER_STEP;
    return true;
  }
}
