/** Tells a computation in steps that has no budget when to yield. */
export class Pace {
  readonly #visitsPerStep: number;
  #visits = 0;

  constructor(visitsPerStep: number) {
    this.#visitsPerStep = visitsPerStep;
  }

  /** Counts a visit, or several at once. True if a step ends with them. */
  endsStep(visits = 1): boolean {
    this.#visits += visits;
    if (this.#visits < this.#visitsPerStep) return false;
    this.#visits = 0;
    return true;
  }
}
