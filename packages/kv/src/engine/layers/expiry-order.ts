import type { Expiry } from '../backend.js';

/** When keys expire, by the revision that put them, and in this order on demand. */
export class ExpiryOrder {
  #byRevision = new Map<number, Expiry>();
  /** Earliest first. An expiry that was deleted stays here for a while. */
  #ordered: Expiry[] = [];
  /** How many at the beginning are known to be deleted. */
  #passed = 0;

  set(expiry: Expiry): void {
    this.#byRevision.set(expiry.revision, expiry);
    const last = this.#ordered.at(-1);
    if (last === undefined || compareExpiries(last, expiry) < 0) this.#ordered.push(expiry);
    else this.#ordered.splice(this.#placeOf(expiry), 0, expiry);
  }

  delete(revision: number): void {
    if (!this.#byRevision.delete(revision) || this.#ordered.length <= 2 * this.#byRevision.size) return;
    this.#ordered = this.#ordered.filter((expiry) => this.#isPresent(expiry));
    this.#passed = 0;
  }

  /** The first `limit` ones that expire at or before `time`. */
  until(time: number, limit: number): Expiry[] {
    const due: Expiry[] = [];
    for (let index = this.#passed; due.length < limit; index += 1) {
      const expiry = this.#ordered[index];
      if (expiry === undefined || expiry.expiresAt > time) break;
      if (this.#isPresent(expiry)) due.push(expiry);
      else if (index === this.#passed) this.#passed += 1;
    }
    return due;
  }

  #isPresent(expiry: Expiry): boolean {
    return this.#byRevision.get(expiry.revision) === expiry;
  }

  #placeOf(expiry: Expiry): number {
    let low = this.#passed;
    let high = this.#ordered.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#ordered[middle];
      if (other !== undefined && compareExpiries(other, expiry) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export function compareExpiries(a: Expiry, b: Expiry): number {
  return a.expiresAt - b.expiresAt || a.revision - b.revision;
}
