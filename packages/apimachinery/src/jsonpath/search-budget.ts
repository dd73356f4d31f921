/** Limits searches. One unit is about one visited value. */
export interface SearchBudget {
  /** Returns false once the work exceeds the budget, and at each later call. */
  spend(units: number): boolean;
}

/** The most values visited in one search, unless the caller decides. */
const MAXIMUM_VISITS = 100_000;

export class VisitBudget implements SearchBudget {
  #left: number;

  constructor(visits = MAXIMUM_VISITS) {
    this.#left = visits;
  }

  spend(units: number): boolean {
    this.#left -= units;
    return this.#left >= 0;
  }
}
