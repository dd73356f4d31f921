import { deepEqual, type JsonObject } from '@binnacle/apimachinery/json';
import { formatMicroTime } from '@binnacle/apimachinery/time';
import type { Clock } from '@binnacle/apimachinery/clock';
import type { Lease, LeaseSpec } from '../kinds/generated/coordination/v1.js';

function holderOf(lease: Lease | undefined): string | undefined {
  const holder = lease?.spec?.holderIdentity;
  return holder === '' ? undefined : holder;
}

/** The spec with which a candidate acquires or renews the lease. `now` is milliseconds since the epoch. */
export function heldBy(
  identity: string,
  leaseDurationSeconds: number,
  before: LeaseSpec | undefined,
  now: number,
): LeaseSpec {
  const time = formatMicroTime(now);
  const own = { ...before, holderIdentity: identity, leaseDurationSeconds, renewTime: time };
  if (before === undefined) return { ...own, acquireTime: time, leaseTransitions: 0 };
  if (before.holderIdentity === identity) return own;
  return { ...own, acquireTime: time, leaseTransitions: (before.leaseTransitions ?? 0) + 1 };
}

/** The spec with which the holder releases the lease, so that the next candidate need not wait. */
export function released(before: LeaseSpec | undefined, now: number): LeaseSpec {
  const time = formatMicroTime(now);
  return { ...before, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: time, renewTime: time };
}

/**
 * The last observed state of the lease, and whether it has expired since. A local timer measures the expiry, because the times in the lease come
 * from other clocks.
 */
export class ObservedLease implements Disposable {
  readonly #clock: Clock;
  readonly #defaultMilliseconds: number;
  #lease: Lease | undefined;
  #hasExpired = false;
  #expiry: Disposable | undefined;

  /** `defaultMilliseconds` is the duration of leases that do not state theirs. */
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

  /** Call it after each read or write. Undefined if the lease does not exist. */
  observe(lease: Lease | undefined): void {
    const hasChanged = !deepEqual(specOf(this.#lease), specOf(lease));
    this.#lease = lease;
    if (!hasChanged) return;
    this.#expiry?.[Symbol.dispose]();
    this.#hasExpired = false;
    const seconds = lease?.spec?.leaseDurationSeconds;
    const milliseconds = typeof seconds === 'number' ? seconds * 1000 : this.#defaultMilliseconds;
    this.#expiry = this.#clock.setTimer(() => {
      this.#hasExpired = true;
    }, milliseconds);
  }

  /** Forgets the lease, since renewals in between are not observed. */
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
