import type { PodExtendedResourceClaimStatus } from '@binnacle/client/kinds/core/v1';
import type { AllocationResult, DeviceClass, ResourceClaim, ResourceSlice } from '@binnacle/client/kinds/resource/v1';
import type { AllocatedDevices } from '../../devices/index.js';
import type { PodFacts } from '../../framework/index.js';
import type { FindClaim } from './resource-claims.js';

/** Knows the devices and the claims of the cluster, and writes what the plugin DynamicResources decides. */
export interface DeviceManager {
  readonly claim: FindClaim;
  /** All claims of a namespace. */
  claimsIn(namespace: string): readonly ResourceClaim[];
  deviceClass(name: string): DeviceClass | undefined;
  /** The DeviceClass of an extended resource. Upstream: `DeviceClassResolver`. */
  classForResource(resource: string): DeviceClass | undefined;
  slices(): readonly ResourceSlice[];
  /** The devices in use, also by claims whose allocation is decided and not written yet. */
  allocated(): AllocatedDevices;
  /** Whether an allocation of the claim is decided and not written. */
  isPending(claim: ResourceClaim): boolean;
  /** Milliseconds of the epoch. */
  now(): number;
  /** From now on the devices of the claim are in use. */
  assume(claim: ResourceClaim): void;
  /** Ends what `assume` began. */
  forget(claim: ResourceClaim): void;
  /** Writes that the pod uses the claim, and the allocation if there is one. Resolves to the claim as written, and ends what `assume` began. */
  reserve(claim: ResourceClaim, use: ClaimUse, signal: AbortSignal): Promise<ResourceClaim>;
  /** Creates a claim that was only in memory. */
  create(claim: ResourceClaim, signal: AbortSignal): Promise<ResourceClaim>;
  /** Writes which claim has the extended resources of the pod. */
  recordExtended(pod: PodFacts, status: PodExtendedResourceClaimStatus, signal: AbortSignal): Promise<void>;
  /** Starts to delete a claim that `create` has made. */
  discard(claim: ResourceClaim): void;
  /** Resolves when the drivers have prepared all devices. Rejects when one fails or takes too long. */
  untilReady(claims: readonly ResourceClaim[], place: PreparationPlace, signal: AbortSignal): Promise<void>;
  /** Starts to write that the pod no longer uses the claim. */
  release(claim: ResourceClaim, pod: PodFacts): void;
  /** Starts to write that the claim no longer has devices. */
  deallocate(claim: ResourceClaim): void;
}

export interface PreparationPlace {
  readonly pod: PodFacts;
  readonly nodeName: string;
  /** How long the drivers may take. */
  readonly timeoutMs: number;
}

export interface ClaimUse {
  readonly pod: PodFacts;
  readonly allocation: AllocationResult | undefined;
}
