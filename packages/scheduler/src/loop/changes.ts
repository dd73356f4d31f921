import { type Clock, onAbort } from '@binnacle/apimachinery/clock';

/** Lets work wait for the next change of some objects. */
export class Changes {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves all that wait for the key. */
  notify(key: string): void {
    for (const wake of this.#waiting.get(key) ?? []) wake();
  }

  /** Resolves when one of the keys changes, after the time, or when the signal fires. */
  async next(keys: readonly string[], milliseconds: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        timer[Symbol.dispose]();
        aborted[Symbol.dispose]();
        for (const key of keys) this.#remove(key, wake);
        resolve();
      };
      const timer = this.#clock.setTimer(wake, milliseconds);
      const aborted = onAbort(signal, wake);
      for (const key of keys) this.#waiting.set(key, (this.#waiting.get(key) ?? new Set()).add(wake));
    });
  }

  #remove(key: string, wake: () => void): void {
    const waiting = this.#waiting.get(key);
    waiting?.delete(wake);
    if (waiting?.size === 0) this.#waiting.delete(key);
  }
}
