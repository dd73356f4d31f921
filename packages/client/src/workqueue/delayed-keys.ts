import type { Clock } from '@binnacle/apimachinery/clock';

interface Delay {
  readonly at: number;
  readonly priority: number;
  readonly timer: Disposable;
}

/** Keys to add later. Each is added once, at the earliest requested time and with the highest requested priority. */
export class DelayedKeys<K> {
  readonly #clock: Clock;
  /** Called when a key is due, after its removal from the delayed keys. */
  readonly #due: (key: K, priority: number) => void;
  readonly #delays = new Map<K, Delay>();

  constructor(clock: Clock, due: (key: K, priority: number) => void) {
    this.#clock = clock;
    this.#due = due;
  }

  add(key: K, milliseconds: number, wanted: number): void {
    const at = this.#clock.monotonic() + milliseconds;
    const before = this.#delays.get(key);
    const priority = Math.max(wanted, before?.priority ?? wanted);
    if (before !== undefined && before.at <= at) {
      this.#delays.set(key, { ...before, priority });
      return;
    }
    before?.timer[Symbol.dispose]();
    const due = () => this.#due(key, this.take(key) ?? priority);
    this.#delays.set(key, { at, priority, timer: this.#clock.setTimer(due, milliseconds) });
  }

  /** Removes a key and returns its priority. */
  take(key: K): number | undefined {
    const delay = this.#delays.get(key);
    delay?.timer[Symbol.dispose]();
    this.#delays.delete(key);
    return delay?.priority;
  }

  clear(): void {
    for (const { timer } of this.#delays.values()) timer[Symbol.dispose]();
    this.#delays.clear();
  }
}
