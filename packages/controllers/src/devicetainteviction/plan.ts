import { tolerates } from '@binnacle/api/pods';
import { isControlledBy } from '@binnacle/client/controller';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import type { DeviceRequestAllocationResult, DeviceTaint, ResourceClaim } from '@binnacle/client/kinds/resource/v1';
import { claimNamesOfEntries, timeOf } from '../common/index.js';

export interface SeenDevices {
  /** The claim of that name in the namespace of the pod. */
  readonly claimOf: (name: string) => ResourceClaim | undefined;
  /** The NoExecute taints of a device. */
  readonly taintsOf: (device: DeviceRequestAllocationResult) => readonly DeviceTaint[];
}

/** When the pod is to be evicted, in milliseconds since the epoch; undefined if it may stay. Upstream: `podEvictionTime`. */
export function evictionTime(pod: Pod, seen: SeenDevices): number | undefined {
  if ((pod.spec?.nodeName ?? '') === '') return undefined;
  const times = claimsOf(pod, seen).flatMap(({ status }) =>
    (status?.allocation?.devices?.results ?? []).flatMap((device) =>
      seen.taintsOf(device).flatMap((taint) => timeWith(taint, device) ?? []),
    ),
  );
  return times.length === 0 ? undefined : times.reduce((first, time) => Math.min(first, time));
}

/** The claims that the pod uses: those reserved for it. A claim from a template must be the pod's own. */
function claimsOf(pod: Pod, { claimOf }: SeenDevices): ResourceClaim[] {
  const nameOf = claimNamesOfEntries(pod);
  return (pod.spec?.resourceClaims ?? []).flatMap((entry) => {
    const found = nameOf(entry);
    const claim = typeof found === 'string' ? undefined : claimOf(found.name);
    if (claim === undefined) return [];
    if (entry.resourceClaimName === undefined && !isControlledBy(claim, pod)) return [];
    return (claim.status?.reservedFor ?? []).some(({ uid }) => uid === pod.metadata.uid) ? [claim] : [];
  });
}

/** When a taint evicts the pods that use the device; undefined if it is tolerated forever. The shortest of the matching tolerations counts. */
function timeWith(taint: DeviceTaint, { tolerations = [] }: DeviceRequestAllocationResult): number | undefined {
  const added = timeOf(taint.timeAdded);
  if (added === undefined) return undefined;
  const matching = tolerations.filter((each) => each.effect === 'NoExecute' && tolerates(each, taint));
  if (matching.some(({ tolerationSeconds }) => tolerationSeconds === undefined)) return undefined;
  const seconds = matching.map(({ tolerationSeconds = 0 }) => Math.max(0, tolerationSeconds));
  return added + (seconds.length === 0 ? 0 : Math.min(...seconds) * 1000);
}
