/** Statistics of a number over a period. */
export interface Demand {
  readonly seconds: number;
  readonly average: number;
  readonly deviation: number;
  readonly highest: number;
}

/** Integrates a number over time. Times are milliseconds and never go back. Upstream: `fairqueuing.Integrator`. */
export class SeatDemand {
  #value = 0;
  #highest = 0;
  #at: number;
  #seconds = 0;
  #sum = 0;
  #squares = 0;

  constructor(now: number) {
    this.#at = now;
  }

  set(value: number, now: number): void {
    this.#integrate(now);
    this.#value = value;
    if (value > this.#highest) this.#highest = value;
  }

  /** The demand since the last call; a new period begins. */
  take(now: number): Demand {
    this.#integrate(now);
    const seconds = this.#seconds;
    const average = seconds > 0 ? this.#sum / seconds : 0;
    const variance = seconds > 0 ? this.#squares / seconds - average * average : 0;
    const demand = { seconds, average, deviation: Math.sqrt(Math.max(0, variance)), highest: this.#highest };
    this.#seconds = 0;
    this.#sum = 0;
    this.#squares = 0;
    this.#highest = this.#value;
    return demand;
  }

  #integrate(now: number): void {
    const seconds = (now - this.#at) / 1000;
    this.#at = now;
    this.#seconds += seconds;
    this.#sum += this.#value * seconds;
    this.#squares += this.#value * this.#value * seconds;
  }
}
