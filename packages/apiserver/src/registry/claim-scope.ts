import type { Claim } from './scope.js';

/** Owns what one attempt to write has claimed: disposing of it releases the claims, unless they were committed. */
export class ClaimScope implements AsyncDisposable {
  #claim: Claim | undefined;

  constructor(claim: Claim | undefined) {
    this.#claim = claim;
  }

  /** The write has happened: its claims are kept, whatever fails later. */
  async commit(): Promise<void> {
    await this.#take()?.commit();
  }

  /** Hands the claims to another scope, which the caller owns. */
  move(): ClaimScope {
    return new ClaimScope(this.#take());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#take()?.rollback();
  }

  #take(): Claim | undefined {
    const claim = this.#claim;
    this.#claim = undefined;
    return claim;
  }
}
