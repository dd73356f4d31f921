import type { DeviceSubRequest, ExactDeviceRequest, ResourceClaim } from '../generated/types/resource-v1.js';
import { Quantity } from '@binnacle/apimachinery/quantity';
import { type Amounts, sumOf } from './amounts.js';

const CLASS_RESOURCE = '.deviceclass.resource.k8s.io/devices';
const COUNT = 'count/resourceclaims.resource.k8s.io';
/**
 * The maximum of devices for a claim that requests all of a class.
 * Upstream: resource API `AllocationResultsMaxSize`.
 */
const MAXIMUM_DEVICES = 32;

type Wanted = Readonly<Partial<ExactDeviceRequest> | DeviceSubRequest>;

export function isDeviceResource(name: string): boolean {
  return name === COUNT || name.endsWith(CLASS_RESOURCE);
}

/**
 * The devices that a claim uses, by class. Of several alternatives for a request the largest count per class is
 * charged. The controller counts the usage of a class as an extended resource.
 * Upstream: `pkg/quota/v1/evaluator/core/resource_claims.go`.
 */
export function deviceClaimUsage({ spec }: Readonly<ResourceClaim>): Amounts {
  const requests = spec?.devices?.requests ?? [];
  return requests
    .map(({ exactly, firstAvailable = [] }) =>
      largestAlternative(firstAvailable.length > 0 ? firstAvailable : [exactly ?? {}]),
    )
    .reduce(sumOf, new Map([[COUNT, Quantity.of(1)]]));
}

function largestAlternative(choices: readonly Wanted[]): Amounts {
  const most = new Map<string, number>();
  for (const choice of choices) {
    const { deviceClassName = '' } = choice;
    if (deviceClassName !== '') most.set(deviceClassName, Math.max(most.get(deviceClassName) ?? 0, devicesOf(choice)));
  }
  return new Map([...most].map(([className, devices]) => [className + CLASS_RESOURCE, Quantity.of(devices)]));
}

function devicesOf({ allocationMode, count = 0 }: Wanted): number {
  if (allocationMode === 'All') return MAXIMUM_DEVICES;
  return allocationMode === 'ExactCount' ? Number(count) : 0;
}
