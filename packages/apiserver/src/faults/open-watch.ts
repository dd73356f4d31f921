import { resourceExpired } from '@binnacle/apimachinery/status';
import type { EventRevisions, WatchCut, WatchCutEnd } from '../request/index.js';
import type { WatchEnding } from './rule.js';

/** An open watch, and the cut that is scheduled for it. */
export class OpenWatch implements WatchCut {
  #remaining = Number.POSITIVE_INFINITY;
  #how: WatchEnding = 'end';
  #wake: () => void = () => undefined;

  /** Whether a cut is scheduled; a second one is ignored. */
  get isScheduled(): boolean {
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

  pass(events: EventRevisions): number {
    if (events.length < this.#remaining) {
      this.#remaining -= events.length;
      return events.length;
    }
    let count = this.#remaining;
    this.#remaining = 0;
    // A client resumes after a revision, so a revision must be delivered completely or not at all.
    while (count > 0 && count < events.length && events.at(count)?.revision === events.at(count - 1)?.revision) count++;
    return count;
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
