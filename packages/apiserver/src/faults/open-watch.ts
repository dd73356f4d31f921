import { resourceExpired } from '@binnacle/apimachinery/status';
import type { WatchCut, WatchCutEnd } from '../http/index.js';
import type { WatchEnding } from './rule.js';

/** A watch that is open, and when and how it is to be cut. */
export class OpenWatch implements WatchCut {
  #remaining = Number.POSITIVE_INFINITY;
  #how: WatchEnding = 'end';
  #wake: () => void = () => undefined;

  /** Whether it is to be cut already: once is enough. */
  get isDoomed(): boolean {
    return this.#remaining !== Number.POSITIVE_INFINITY;
  }

  cut(afterEvents: number, how: WatchEnding): void {
    this.#remaining = afterEvents;
    this.#how = how;
    this.#wake();
  }

  opened(wake: () => void): void {
    this.#wake = wake;
  }

  pass<T extends { readonly revision: number }>(events: readonly T[]): readonly T[] {
    if (events.length < this.#remaining) {
      this.#remaining -= events.length;
      return events;
    }
    let count = this.#remaining;
    this.#remaining = 0;
    // A client that resumes asks for what comes after a revision: all of it or nothing.
    while (count > 0 && count < events.length && events[count]?.revision === events[count - 1]?.revision) count++;
    return events.slice(0, count);
  }

  get end(): WatchCutEnd | undefined {
    if (this.#remaining > 0) return undefined;
    return {
      error:
        this.#how === 'expire' ? resourceExpired('The resourceVersion for the provided watch is too old.') : undefined,
      isBroken: this.#how === 'break',
    };
  }
}
