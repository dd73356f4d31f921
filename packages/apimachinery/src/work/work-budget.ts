import { requestEntityTooLarge } from '../status/index.js';

/** How much one request may make the server do. */
export interface WorkLimits {
  /** Units of work: one is about the time of looking at one node of a document, 50 to 200 nanoseconds. */
  readonly units: number;
  /** Bytes of JSON that come of the request beside those of its body: defaults, copies. */
  readonly addedBytes: number;
}

/** Upstream takes longer than a second for as much work, and its store refuses objects half as large. */
export const defaultWorkLimits: WorkLimits = { units: 10_000_000, addedBytes: 3 * 1024 * 1024 };

/** So much work is done in a few milliseconds. */
const UNITS_PER_STEP = 20_000;

/**
 * What is left of the work that one request may cost. Work is spent before it is done; spending what is not there throws the
 * 413 that answers the request.
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

  /** Whether so much has been spent since this last was true that a computation in steps should yield. */
  endsStep(): boolean {
    if (this.#units > this.#nextStep) return false;
    this.#nextStep = this.#units - UNITS_PER_STEP;
    return true;
  }
}
