import { randomUUID } from 'node:crypto';
import { nameIsDnsSubdomain } from '@binnacle/apimachinery/validation';

const NANOSECONDS = 1_000_000n;

/**
 * Names of events: that of the object, and the time in nanoseconds. Clocks give milliseconds; the rest is by chance for each process, and counts on, so
 * that neither two processes nor two events in one millisecond use the same.
 */
export class EventNames {
  readonly #offset: bigint;
  #last = 0n;

  /** `random`: from 0 to below 1. */
  constructor(random: () => number = Math.random) {
    this.#offset = BigInt(Math.floor(random() * Number(NANOSECONDS)));
  }

  /** `now`: milliseconds since the epoch. Objects whose names an event cannot have get a UUID. */
  next(objectName: string, now: number): string {
    const time = BigInt(Math.floor(now)) * NANOSECONDS + this.#offset;
    this.#last = time > this.#last ? time : this.#last + 1n;
    const name = `${objectName}.${this.#last.toString(16)}`;
    return nameIsDnsSubdomain(name, false).length === 0 ? name : randomUUID();
  }
}
