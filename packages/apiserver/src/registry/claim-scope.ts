import type { Claim } from './scope.js';

/**
 * Owns what one attempt to write has claimed, until it commits or releases the claims; the first of these decides. For an
 * attempt without claims, as most are, both return no promise.
 */
export class ClaimScope {
  #claim: Claim | undefined;

  constructor(claim: Claim | undefined) {
    this.#claim = claim;
  }

  /** The write has happened: its claims are kept, whatever fails later. */
  commit(): void | Promise<void> {
    return this.#take()?.commit();
  }

  release(): void | Promise<void> {
    return this.#take()?.rollback();
  }

  #take(): Claim | undefined {
    const claim = this.#claim;
    this.#claim = undefined;
    return claim;
  }
}
