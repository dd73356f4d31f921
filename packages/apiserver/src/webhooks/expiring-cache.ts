import { LruMap } from '@binnacle/apimachinery/caches';
import type { Clock } from '@binnacle/apimachinery/clock';

interface Entry<V> {
  readonly value: V;
  /** Milliseconds of monotonic time. */
  readonly expires: number;
}

/** A cache of a bounded number of values, each for a time. When full, it drops the least recently used one. */
export class ExpiringCache<V> {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #entries: LruMap<string, Entry<V>>;

  constructor(clock: Pick<Clock, 'monotonic'>, capacity: number) {
    this.#clock = clock;
    this.#entries = new LruMap(capacity);
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expires > this.#clock.monotonic()) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** `milliseconds`: 0 or less keeps nothing. */
  add(key: string, value: V, milliseconds: number): void {
    if (milliseconds > 0) this.#entries.set(key, { value, expires: this.#clock.monotonic() + milliseconds });
  }
}
