import { hasFinalizer } from '@binnacle/client/controller';
import type { ResourceClaim, ResourceClaimConsumerReference } from '@binnacle/client/kinds/resource/v1';

/** Keeps an allocated claim until its devices are free. The scheduler adds it. */
export const FINALIZER = 'resource.kubernetes.io/delete-protection';

export interface ClaimPlan {
  /** The claim with fewer reservations, or without its allocation; undefined if its status is right. */
  readonly status: ResourceClaim | undefined;
  readonly removesFinalizer: boolean;
  /** No consumer has the claim. */
  readonly isFree: boolean;
}

/** `remaining`: the consumers that still need the claim. */
export function planClaim(claim: ResourceClaim, remaining: readonly ResourceClaimConsumerReference[]): ClaimPlan {
  const { reservedFor = [], allocation } = claim.status ?? {};
  const isFree = remaining.length === 0;
  const isProtected = hasFinalizer(claim, FINALIZER);
  const isReduced = remaining.length < reservedFor.length;
  const isGoing = isProtected && isFree && claim.metadata.deletionTimestamp !== undefined;
  // The last consumer frees the devices. A claim without consumers keeps its allocation until it is deleted.
  const isFreed = isProtected && isFree && (isReduced || isGoing);
  const isChanged = isReduced || (isGoing && allocation !== undefined);
  return {
    status: isChanged ? withReservations(claim, remaining, isFreed) : undefined,
    removesFinalizer: isProtected && (isGoing || (isReduced && (isFreed || allocation === undefined))),
    isFree,
  };
}

export function withoutFinalizer(claim: ResourceClaim): ResourceClaim {
  const finalizers = (claim.metadata.finalizers ?? []).filter((each) => each !== FINALIZER);
  return { ...claim, metadata: { ...claim.metadata, finalizers } };
}

function withReservations(
  claim: ResourceClaim,
  remaining: readonly ResourceClaimConsumerReference[],
  isFreed: boolean,
): ResourceClaim {
  const { reservedFor: _, allocation, ...status } = claim.status ?? {};
  return {
    ...claim,
    status: {
      ...status,
      ...(isFreed || allocation === undefined ? {} : { allocation }),
      ...(remaining.length === 0 ? {} : { reservedFor: remaining }),
    },
  };
}
