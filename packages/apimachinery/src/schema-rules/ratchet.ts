import type { Correlation } from '../structural/index.js';

/**
 * What is known of how a value was before an update, to let pass errors of what has not changed. What cannot be correlated
 * itself is unchanged if the nearest value around it is that can. Upstream: apiextensions `ratchetingOptions`.
 */
export class Ratchet {
  /** For creates: everything is new. */
  static readonly NONE = new Ratchet(undefined, undefined);
  readonly #current: Correlation | undefined;
  readonly #around: Correlation | undefined;

  constructor(current: Correlation | undefined, around: Correlation | undefined) {
    this.#current = current;
    this.#around = around;
  }

  get isUnchanged(): boolean {
    return (this.#current ?? this.#around)?.equal === true;
  }

  key(name: string): Ratchet {
    if (this.#current === undefined) return this;
    // Both objects are read in one version, so that a change of these cannot be seen.
    if (this.#around === undefined && (name === 'apiVersion' || name === 'kind')) return Ratchet.NONE;
    return new Ratchet(this.#current.key(name), this.#current);
  }

  index(index: number): Ratchet {
    return this.#current === undefined ? this : new Ratchet(this.#current.index(index), this.#current);
  }
}
