import type { DeviceSubRequest, ExactDeviceRequest, ResourceClaim } from '@binnacle/api/types/resource-v1';
import { Quantity } from '@binnacle/apimachinery/quantity';
import { type Amounts, sumOf } from '../amounts.js';

const CLASS_RESOURCE = '.deviceclass.resource.k8s.io/devices';
const COUNT = 'count/resourceclaims.resource.k8s.io';
/** What a claim for all devices of a class can be given at most. Upstream: resource API `AllocationResultsMaxSize`. */
const MOST_DEVICES = 32;

type Wanted = Readonly<Partial<ExactDeviceRequest> | DeviceSubRequest>;

export function isDeviceResource(name: string): boolean {
  return name === COUNT || name.endsWith(CLASS_RESOURCE);
}

/**
 * Devices by their class; of several ways to satisfy a request the dearest of each class. What a class counts for as an extended
 * resource is left to the controller. Upstream: `pkg/quota/v1/evaluator/core/resource_claims.go`.
 */
export function deviceClaimUsage({ spec }: Readonly<ResourceClaim>): Amounts {
  const requests = spec?.devices?.requests ?? [];
  return requests
    .map(({ exactly, firstAvailable = [] }) => dearest(firstAvailable.length > 0 ? firstAvailable : [exactly ?? {}]))
    .reduce(sumOf, new Map([[COUNT, Quantity.of(1)]]));
}

function dearest(choices: readonly Wanted[]): Amounts {
  const most = new Map<string, number>();
  for (const choice of choices) {
    const { deviceClassName = '' } = choice;
    if (deviceClassName !== '') most.set(deviceClassName, Math.max(most.get(deviceClassName) ?? 0, devicesOf(choice)));
  }
  return new Map([...most].map(([className, devices]) => [className + CLASS_RESOURCE, Quantity.of(devices)]));
}

function devicesOf({ allocationMode, count = 0 }: Wanted): number {
  if (allocationMode === 'All') return MOST_DEVICES;
  return allocationMode === 'ExactCount' ? Number(count) : 0;
}
