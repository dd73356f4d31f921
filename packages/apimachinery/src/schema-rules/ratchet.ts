import type { Correlation } from '../structural/index.js';

/**
 * Correlates a value with its state before an update, so that errors of unchanged values are ratcheted. A value that
 * cannot be correlated is unchanged if its nearest correlatable parent is. Upstream: apiextensions `ratchetingOptions`.
 */
export class Ratchet {
  /** For creates: every value is new. */
  static readonly NONE = new Ratchet(undefined, undefined);
  readonly #current: Correlation | undefined;
  readonly #parent: Correlation | undefined;

  constructor(current: Correlation | undefined, parent: Correlation | undefined) {
    this.#current = current;
    this.#parent = parent;
  }

  get isUnchanged(): boolean {
    return (this.#current ?? this.#parent)?.equal === true;
  }

  key(name: string): Ratchet {
    if (this.#current === undefined) return this;
    // Both objects are read in one version, so a change of these is not visible.
    if (this.#parent === undefined && (name === 'apiVersion' || name === 'kind')) return Ratchet.NONE;
    return new Ratchet(this.#current.key(name), this.#current);
  }

  index(index: number): Ratchet {
    return this.#current === undefined ? this : new Ratchet(this.#current.index(index), this.#current);
  }
}
