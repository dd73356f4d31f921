import { deepEqual } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import type { Indexer } from '@binnacle/client/cache';
import type { Predicate } from '@binnacle/client/controller';
import type {
  DeviceRequestAllocationResult,
  DeviceTaint,
  ResourceClaim,
  ResourceSlice,
} from '@binnacle/client/kinds/resource/v1';

const BY_POOL = 'devicetaint-pool';
const BY_TAINTED = 'devicetaint-tainted';
const BY_DEVICE = 'devicetaint-device';

/** A name of the API holds no space. */
const keyOf = (...names: readonly string[]) => names.join(' ');
const poolOf = ({ spec: { driver, pool } }: ResourceSlice) => keyOf(driver, pool.name);

/** The NoExecute taints of a slice, by the key of their device. */
function taintsIn(slice: ResourceSlice): ReadonlyMap<string, readonly DeviceTaint[]> {
  const found = new Map<string, readonly DeviceTaint[]>();
  for (const { name, taints = [] } of slice.spec.devices ?? []) {
    const evicting = taints.filter(({ effect }) => effect === 'NoExecute');
    if (evicting.length > 0) found.set(keyOf(poolOf(slice), name), evicting);
  }
  return found;
}

export const sliceIndexes = {
  [BY_POOL]: (slice: ResourceSlice) => [poolOf(slice)],
  [BY_TAINTED]: (slice: ResourceSlice) => [...taintsIn(slice).keys()],
};

export const claimIndexes = {
  [BY_DEVICE]: ({ status }: ResourceClaim) => [...new Set((status?.allocation?.devices?.results ?? []).map(deviceKey))],
};

function deviceKey({ driver, pool, device }: DeviceRequestAllocationResult): string {
  return keyOf(driver, pool, device);
}

/** The NoExecute taints of a device. Only slices of the highest generation of their pool count. The indexer has {@link sliceIndexes}. */
export function taintsOf(slices: Indexer<ResourceSlice>, device: DeviceRequestAllocationResult): DeviceTaint[] {
  const key = deviceKey(device);
  const tainted = slices.byIndex(BY_TAINTED, key);
  if (tainted.length === 0) return [];
  const pool = slices.byIndex(BY_POOL, keyOf(device.driver, device.pool));
  const latest = pool.reduce((highest, { spec }) => Math.max(highest, spec.pool.generation), -Infinity);
  const slice = tainted.find(({ spec }) => spec.pool.generation === latest);
  return [...(slice === undefined ? [] : (taintsIn(slice).get(key) ?? []))];
}

/** The claims whose devices a change of a slice may taint or clear: a new generation clears devices of older slices. */
export function claimsAffected(
  slice: ResourceSlice,
  slices: Indexer<ResourceSlice>,
  claims: Indexer<ResourceClaim>,
): ReadonlySet<ResourceClaim> {
  const others = slices
    .byIndex(BY_POOL, poolOf(slice))
    .filter(({ spec }) => spec.pool.generation !== slice.spec.pool.generation);
  const devices = [slice, ...others].flatMap((each) => [...taintsIn(each).keys()]);
  return new Set(devices.flatMap((key) => claims.byIndex(BY_DEVICE, key)));
}

/** Whether a change of a slice may matter to evictions. Drivers publish slices again for other reasons. */
export const mayTaint: Predicate<ResourceSlice> = (change) => {
  if (change.type !== 'update') return true;
  const { before, object } = change;
  return (
    poolOf(before) !== poolOf(object) ||
    before.spec.pool.generation !== object.spec.pool.generation ||
    !deepEqual(asJson([...taintsIn(before)]), asJson([...taintsIn(object)]))
  );
};
