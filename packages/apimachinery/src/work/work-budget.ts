import { requestEntityTooLarge } from '../status/index.js';

/** How much work a request may cause. */
export interface WorkLimits {
  /** Units of work. One is about the time to visit a node of a document, 50 to 200 nanoseconds. */
  readonly units: number;
  /** Bytes of JSON that a request adds to its body, through defaults and copies. */
  readonly addedBytes: number;
}

/** Upstream takes more than a second for this much work, and its store rejects objects half as large. */
const defaultWorkLimits: WorkLimits = { units: 10_000_000, addedBytes: 3 * 1024 * 1024 };

/** A few milliseconds of work. */
const UNITS_PER_STEP = 20_000;

/**
 * The remaining work that a request may cost. Work is charged before it is done; exceeding the budget throws the 413
 * that answers the request.
 */
export class WorkBudget {
  #units: number;
  #addedBytes: number;
  #nextStep: number;

  constructor({ units, addedBytes }: WorkLimits = defaultWorkLimits) {
    this.#units = units;
    this.#addedBytes = addedBytes;
    this.#nextStep = units - UNITS_PER_STEP;
  }

  spend(units: number): void {
    this.#units -= units;
    if (this.#units < 0) throw requestEntityTooLarge('the request takes too much work');
  }

  add(bytes: number): void {
    this.#addedBytes -= bytes;
    if (this.#addedBytes < 0) throw requestEntityTooLarge('the request makes the object too large');
  }

  /** Whether a computation in steps should yield: enough work was charged since this last returned true. */
  endsStep(): boolean {
    if (this.#units > this.#nextStep) return false;
    this.#nextStep = this.#units - UNITS_PER_STEP;
    return true;
  }
}
