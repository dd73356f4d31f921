import { deepEqual } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import { ResourceClaim } from '@binnacle/client/kinds/resource/v1';
import type { ClusterEvent, EventInterest, PodFacts } from '../../framework/index.js';
import { isOf } from '../objects.js';
import { type FindClaim, resourceClaimsOf } from './resource-claims.js';

/** Changes that may help a pod that waits for its claims or for devices. A claim that is made for a pod changes the pod itself. */
export function claimInterests(find: FindClaim): readonly EventInterest[] {
  return [
    { resource: 'Node', actions: ['Add', 'Update'] },
    {
      resource: 'ResourceClaim',
      actions: ['Add', 'Update', 'Delete'],
      isWorthTrying: (pod, event) => mayHelp(pod, event, find),
    },
    { resource: 'DeviceClass', actions: ['Add', 'Update'] },
    { resource: 'ResourceSlice', actions: ['Add', 'Update'] },
  ];
}

/** Whether a changed claim is one that the pod waits for, or gives back devices. Upstream: `isSchedulableAfterClaimChange`. */
function mayHelp(pod: PodFacts, { before, after }: ClusterEvent, find: FindClaim): boolean {
  if (!isOf(ResourceClaim, after)) return true;
  const claims = resourceClaimsOf(pod, find);
  if (typeof claims === 'string') return false;
  const was = isOf(ResourceClaim, before) ? before : undefined;
  if (was?.status?.allocation !== undefined && after.status?.allocation === undefined) return true;
  if (!claims.some(({ metadata }) => metadata.uid === after.metadata.uid)) return false;
  return was === undefined || !deepEqual(asJson(was.status ?? {}), asJson(after.status ?? {}));
}
