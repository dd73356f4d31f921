import type { Clock } from '@binnacle/apimachinery/clock';

interface Entry<V> {
  readonly value: V;
  readonly size: number;
  /** Milliseconds of monotonic time. */
  readonly expires: number;
}

/** Characters of all values as JSON. A service chooses how long its answers are. */
const LARGEST_CACHE = 32 * 1024 * 1024;

/**
 * A cache of plain objects, each for a time. Their number and their size are bounded: when full, it drops those that were
 * used least recently.
 */
export class ExpiringCache<V extends object> {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #capacity: number;
  /** In the order of use: a map keeps the order of insertion. */
  readonly #entries = new Map<string, Entry<V>>();
  #size = 0;

  constructor(clock: Pick<Clock, 'monotonic'>, capacity: number) {
    this.#clock = clock;
    this.#capacity = capacity;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#drop(key, entry);
    if (entry.expires <= this.#clock.monotonic()) return undefined;
    this.#keep(key, entry);
    return entry.value;
  }

  /** `milliseconds`: 0 or less keeps nothing. */
  add(key: string, value: V, milliseconds: number): void {
    if (milliseconds <= 0) return;
    const former = this.#entries.get(key);
    if (former !== undefined) this.#drop(key, former);
    const size = JSON.stringify(value).length;
    this.#keep(key, { value, size, expires: this.#clock.monotonic() + milliseconds });
    for (const [oldest, entry] of this.#entries) {
      if (this.#entries.size <= this.#capacity && this.#size <= LARGEST_CACHE) return;
      this.#drop(oldest, entry);
    }
  }

  #keep(key: string, entry: Entry<V>): void {
    this.#entries.set(key, entry);
    this.#size += entry.size;
  }

  #drop(key: string, entry: Entry<V>): void {
    this.#entries.delete(key);
    this.#size -= entry.size;
  }
}
