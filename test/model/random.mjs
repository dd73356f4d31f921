/**
 * Repeatable random numbers: the same seed and name give the same decisions. Every client has its own instance, so
 * the speed of one does not affect the others.
 */
export class Random {
  #state;

  constructor(seed, name = '') {
    let state = seed >>> 0;
    for (const character of name) state = Math.imul(state ^ character.charCodeAt(0), 0x01000193) >>> 0;
    this.#state = state;
  }

  /** A fraction in [0, 1). */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from `low` to `high`, both included. */
  integer(low, high) {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability) {
    return this.next() < probability;
  }

  pick(items) {
    return items[Math.floor(this.next() * items.length)];
  }

  /** One of the names in `{ name: weight }`. */
  weighted(weights) {
    const entries = Object.entries(weights);
    let rest = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      rest -= weight;
      if (rest < 0) return name;
    }
    return entries[0][0];
  }
}
