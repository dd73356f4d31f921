import type { ResourceClaim } from '@binnacle/client/kinds/resource/v1';

/** How long a driver may prepare a device. Upstream: `DynamicResourcesBindingTimeoutDefault`. */
export const LONGEST_PREPARATION = 600_000;

/** Whether the devices of an allocated claim can be used. */
export type Readiness = 'ready' | 'waiting' | { readonly problem: string };

export function hasBindingConditions({ status }: ResourceClaim): boolean {
  return (status?.allocation?.devices?.results ?? []).some(
    ({ bindingConditions = [] }) => bindingConditions.length > 0,
  );
}

/** `now`: milliseconds of the epoch. `longest`: milliseconds that drivers have to prepare the devices. Upstream: `isClaimReadyForBinding` and `isClaimTimeout`. */
export function readinessOf(
  { metadata, status = {} }: ResourceClaim,
  now: number,
  longest = LONGEST_PREPARATION,
): Readiness {
  const { allocation, devices = [] } = status;
  if (allocation === undefined) return 'waiting';
  let isReady = true;
  for (const result of allocation.devices?.results ?? []) {
    const { bindingConditions = [], bindingFailureConditions = [] } = result;
    if (bindingConditions.length === 0) continue;
    const reported = devices.find(
      ({ driver, pool, device }) => driver === result.driver && pool === result.pool && device === result.device,
    );
    const holding = (reported?.conditions ?? []).filter((condition) => condition.status === 'True');
    const failed = holding.find(({ type }) => bindingFailureConditions.includes(type));
    if (failed !== undefined) {
      const details = `claim=${metadata.name}, reason=${failed.reason}, message=${JSON.stringify(failed.message)}`;
      return { problem: `device binding failed: ${details}` };
    }
    isReady &&= bindingConditions.every((type) => holding.some((condition) => condition.type === type));
  }
  if (isReady) return 'ready';
  const since = Date.parse(allocation.allocationTimestamp ?? '');
  return since + longest < now ? { problem: `device binding timeout: claim=${metadata.name}` } : 'waiting';
}
