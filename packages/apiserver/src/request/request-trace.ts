import type { Clock } from '@binnacle/apimachinery/clock';

/** The end of one step of a request. */
export interface TraceStep {
  readonly name: string;
  /** Milliseconds of monotonic time. */
  readonly at: number;
}

/** A write that loses many races repeats its steps. */
const MOST_STEPS = 64;

/** When a request finished each of its steps, for the log of slow requests and for traces. The names are upstream's, where it has one. */
export class RequestTrace {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #steps: TraceStep[] = [];

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  get steps(): readonly TraceStep[] {
    return this.#steps;
  }

  /** The step of this name has ended. */
  ended(name: string): void {
    if (this.#steps.length < MOST_STEPS) this.#steps.push({ name, at: this.#clock.monotonic() });
  }
}
