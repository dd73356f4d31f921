/** A clock that moves only when told to. */
export class ManualClock {
  #milliseconds = 1_800_000_000_000;

  readonly now = (): number => this.#milliseconds;

  advance(seconds: number): void {
    this.#milliseconds += seconds * 1000;
  }
}
