import { Quantity } from '@binnacle/apimachinery/quantity';
import type { ResourceClaim } from '@binnacle/client/kinds/resource/v1';
import { deviceKey } from './offered-device.js';
import { type ConsumedCapacity, plus } from './capacity.js';

/** The devices that claims have, by {@link deviceKey}. */
export interface AllocatedDevices {
  /** Each belongs to one claim. */
  readonly exclusive: ReadonlySet<string>;
  /** What the claims that share a device take of it. */
  readonly shared: ReadonlyMap<string, ConsumedCapacity>;
}

/** Use with admin access does not take a device. Upstream: `foreachAllocatedDevice`. */
export function allocatedDevices(claims: Iterable<ResourceClaim>): AllocatedDevices {
  const exclusive = new Set<string>();
  const shared = new Map<string, ConsumedCapacity>();
  for (const { status } of claims) {
    for (const result of status?.allocation?.devices?.results ?? []) {
      if (result.adminAccess === true) continue;
      const key = deviceKey(result.driver, result.pool, result.device);
      if (result.shareID === undefined) {
        exclusive.add(key);
        continue;
      }
      const amounts = Object.entries(result.consumedCapacity ?? {});
      const consumed = new Map(amounts.map(([name, amount]) => [name, Quantity.parse(amount)]));
      shared.set(key, plus(shared.get(key) ?? new Map<string, Quantity>(), consumed));
    }
  }
  return { exclusive, shared };
}
