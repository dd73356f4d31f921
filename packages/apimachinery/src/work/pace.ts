/** Tells a computation in steps that has no budget when to yield. */
export class Pace {
  readonly #visitsPerStep: number;
  #visits = 0;

  constructor(visitsPerStep: number) {
    this.#visitsPerStep = visitsPerStep;
  }

  /** Counts a visit. True if a step ends with it. */
  endsStep(): boolean {
    return ++this.#visits % this.#visitsPerStep === 0;
  }
}
