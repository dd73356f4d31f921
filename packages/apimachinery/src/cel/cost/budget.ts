import { CostLimitError, TakesLong } from '../evaluation-error.js';

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

/** The items that the calls of an evaluation may make without a charge: 160 MB of references. */
const MOST_ITEMS = 20_000_000;

/**
 * The instructions of patterns that long searches of an evaluation may execute: seconds. Their cost does not cover a
 * search that reads the rest of a text for each match, or a pattern with repetitions of repetitions.
 */
const MOST_INSTRUCTIONS = 100_000_000;

/** Counts down the cost that an evaluation may spend. */
export class Budget {
  readonly #limit: number;
  #spent = 0;
  #uncharged = 0;
  #made = 0;
  #executed = 0;
  #nextStep = COST_PER_STEP;
  /** What {@link charge} must not exceed: the limit, or in a trial the end of the step. */
  #stop: number;
  #isTrial = false;

  constructor(limit: number) {
    this.#limit = limit;
    this.#stop = limit;
  }

  get spent(): number {
    return this.#spent;
  }

  /** The cost and all other work so far. */
  get done(): number {
    return this.#spent + this.#uncharged;
  }

  /** Throws `CostLimitError` when the budget is exceeded, and `TakesLong` when a trial is. */
  charge(cost: number): void {
    this.#spent += cost;
    if (this.#spent > this.#stop) this.#refuse();
  }

  /** Counts work that upstream does not charge for, in units of cost, so that steps end in time. */
  work(cost: number): void {
    this.#uncharged += cost;
    if (!this.#isTrial) return;
    this.#stop = Math.min(this.#limit, this.#nextStep - this.#uncharged);
    if (this.#spent > this.#stop) this.#refuse();
  }

  /** Counts items that a call makes, before it makes them. Throws `CostLimitError` when they need too much memory. */
  make(items: number): void {
    this.#made += items;
    if (this.#made > MOST_ITEMS) throw new CostLimitError();
  }

  /** Counts the instructions of a search in steps. Throws `CostLimitError` when they take too long. */
  search(instructions: number): void {
    this.#executed += instructions;
    if (this.#executed > MOST_INSTRUCTIONS) throw new CostLimitError();
  }

  /**
   * Runs a part of an evaluation at once, as steps are slower. Returns undefined before the part does more than a step's
   * work. The budget is then as it was before: the part is pure and can start again in steps.
   */
  tryAtOnce<T>(run: () => T): T | undefined {
    const [spent, uncharged, made] = [this.#spent, this.#uncharged, this.#made];
    this.#isTrial = true;
    this.#stop = Math.min(this.#limit, this.#nextStep - uncharged);
    try {
      return run();
    } catch (error) {
      if (!(error instanceof TakesLong)) throw error;
      [this.#spent, this.#uncharged, this.#made] = [spent, uncharged, made];
      return undefined;
    } finally {
      this.#isTrial = false;
      this.#stop = this.#limit;
    }
  }

  /** Throws `TakesLong` in a trial. For work of more than a step that cannot be counted before. */
  takesLong(): void {
    if (this.#isTrial) throw new TakesLong();
  }

  #refuse(): never {
    throw this.#spent > this.#limit ? new CostLimitError() : new TakesLong();
  }

  /** Whether enough was spent since this last returned true that an evaluation in steps should yield. */
  endsStep(): boolean {
    const total = this.done;
    if (total < this.#nextStep) return false;
    this.#nextStep = total + COST_PER_STEP;
    return true;
  }
}
