import type { Clock } from '@binnacle/apimachinery/clock';

interface Entry<V> {
  readonly value: V;
  /** Milliseconds of monotonic time. */
  readonly expires: number;
}

/** A cache of a bounded number of values, each for a time. When full, it drops the least recently used one. */
export class ExpiringCache<V> {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #capacity: number;
  readonly #entries = new Map<string, Entry<V>>();

  constructor(clock: Pick<Clock, 'monotonic'>, capacity: number) {
    this.#clock = clock;
    this.#capacity = capacity;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (entry.expires <= this.#clock.monotonic()) return undefined;
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** `milliseconds`: 0 or less keeps nothing. */
  add(key: string, value: V, milliseconds: number): void {
    if (milliseconds <= 0) return;
    this.#entries.delete(key);
    this.#entries.set(key, { value, expires: this.#clock.monotonic() + milliseconds });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#capacity && oldest !== undefined) this.#entries.delete(oldest);
  }
}
