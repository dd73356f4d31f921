import { formatMicroTime } from '@binnacle/apimachinery/time';
import type { Lease, LeaseSpec } from '../kinds/generated/coordination/v1.js';

export function holderOf(lease: Lease | undefined): string | undefined {
  const holder = lease?.spec?.holderIdentity;
  return holder === '' ? undefined : holder;
}

/** What the holder writes to have the lease, or to go on having it. `now`: milliseconds since the epoch. */
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

/** What the holder writes so that the next one need not wait. */
export function released(before: LeaseSpec | undefined, now: number): LeaseSpec {
  const time = formatMicroTime(now);
  return { ...before, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: time, renewTime: time };
}
