import { Pace } from '@binnacle/apimachinery/work';

/** In units of cost of an expression, each about a tenth of a microsecond. Upstream stops after ten seconds. */
export const MOST_WORK = 50_000_000;
/** Less than a millisecond. */
const WORK_PER_STEP = 5000;

/** Counts the work of a search for devices on one node, so that it ends, and pauses often. */
export class SearchWork {
  readonly #pace = new Pace(WORK_PER_STEP);
  readonly #node: string;
  #left: number;

  /** `limit`: the most work. */
  constructor(node: string, limit: number) {
    this.#node = node;
    this.#left = limit;
  }

  /** Counts work. True if a step of the search ends with it. Throws with upstream's text when it is too much. */
  endsStep(units: number): boolean {
    this.#left -= units;
    if (this.#left < 0) throw new Error(`node ${this.#node}: timed out trying to allocate devices`);
    return this.#pace.endsStep(units);
  }
}
