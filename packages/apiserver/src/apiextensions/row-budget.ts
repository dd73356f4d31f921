import type { SearchBudget } from '@binnacle/apimachinery/jsonpath';

/** The most units of work in one row, which is printed in one turn. A unit takes about 100 nanoseconds. */
const ROW_UNITS = 100_000;
/** Any row may cost this much, however long its table is. */
const ALLOWANCE = 5000;
/** Characters for the price of one unit: text is only encoded, while other values are also sorted and printed. */
const TEXT_PER_UNIT = 64;
const JSON_PER_UNIT = 16;

/** The work that the cells of one row may cost. Cells beyond it are null, as those that upstream cannot print. */
export class RowBudget implements SearchBudget {
  readonly #limit: number;
  #spent = 0;

  /** `shared` is what the rows of a table may cost in addition to their allowances. */
  constructor(shared: number) {
    this.#limit = Math.min(ROW_UNITS, ALLOWANCE + Math.max(0, shared));
  }

  /** The units that this row has used of those that all rows share. */
  get shared(): number {
    return Math.max(0, Math.min(this.#spent, this.#limit) - ALLOWANCE);
  }

  spend(units: number): boolean {
    this.#spent += units;
    return this.#spent <= this.#limit;
  }

  spendText(text: string): boolean {
    return this.spend(Math.ceil(text.length / TEXT_PER_UNIT));
  }

  spendJson(text: string): boolean {
    return this.spend(Math.ceil(text.length / JSON_PER_UNIT));
  }
}
