import type { Clock } from '../clock/index.js';

interface Delay {
  readonly at: number;
  readonly priority: number;
  readonly timer: Disposable;
}

/** Keys that are to be added later, each once: at the earliest of its times, with the highest of its priorities. */
export class DelayedKeys<K> {
  readonly #clock: Clock;
  /** Called when the time of a key has come; the key is no longer among the delayed. */
  readonly #due: (key: K, priority: number) => void;
  readonly #delays = new Map<K, Delay>();

  constructor(clock: Clock, due: (key: K, priority: number) => void) {
    this.#clock = clock;
    this.#due = due;
  }

  add(key: K, milliseconds: number, wanted: number): void {
    const at = this.#clock.now() + milliseconds;
    const before = this.#delays.get(key);
    const priority = Math.max(wanted, before?.priority ?? wanted);
    if (before !== undefined && before.at <= at) {
      this.#delays.set(key, { ...before, priority });
      return;
    }
    before?.timer[Symbol.dispose]();
    const due = () => this.#due(key, this.take(key) ?? priority);
    this.#delays.set(key, { at, priority, timer: this.#clock.setTimeout(due, milliseconds) });
  }

  /** Takes a key out; its priority. */
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
