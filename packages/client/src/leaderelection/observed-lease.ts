import { deepEqual, type JsonObject } from '@binnacle/apimachinery/json';
import type { Clock } from '../clock/index.js';
import type { Lease } from '../kinds/generated/coordination/v1.js';
import { holderOf } from './lease.js';

/**
 * The lease as it was last seen, and whether its holder has been silent for too long since. Silence is measured here, by a timer: times that
 * others wrote are theirs.
 */
export class ObservedLease implements Disposable {
  readonly #clock: Clock;
  readonly #defaultMilliseconds: number;
  #lease: Lease | undefined;
  #hasExpired = false;
  #expiry: Disposable | undefined;

  /** `defaultMilliseconds`: for leases that do not say how long they last. */
  constructor(clock: Clock, defaultMilliseconds: number) {
    this.#clock = clock;
    this.#defaultMilliseconds = defaultMilliseconds;
  }

  get lease(): Lease | undefined {
    return this.#lease;
  }

  get holder(): string | undefined {
    return holderOf(this.#lease);
  }

  get hasExpired(): boolean {
    return this.#hasExpired;
  }

  /** It was read, or written, just now. Undefined: there is none. */
  observe(lease: Lease | undefined): void {
    const isNews = !deepEqual(specOf(this.#lease), specOf(lease));
    this.#lease = lease;
    if (!isNews) return;
    this.#expiry?.[Symbol.dispose]();
    this.#hasExpired = false;
    const seconds = lease?.spec?.leaseDurationSeconds;
    const milliseconds = typeof seconds === 'number' ? seconds * 1000 : this.#defaultMilliseconds;
    this.#expiry = this.#clock.setTimeout(() => {
      this.#hasExpired = true;
    }, milliseconds);
  }

  /** Forgets it: who looks again later has not seen whether it was renewed meanwhile. */
  [Symbol.dispose](): void {
    this.#expiry?.[Symbol.dispose]();
    this.#expiry = undefined;
    this.#lease = undefined;
    this.#hasExpired = false;
  }
}

function specOf(lease: Lease | undefined): JsonObject {
  return { ...lease?.spec };
}
