import { deepEqual } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import { ResourceClaim } from '@binnacle/client/kinds/resource/v1';
import {
  type ClusterEvent,
  type Plugin,
  type PodFacts,
  skip,
  StateKey,
  success,
  unresolvable,
  unschedulable,
} from '../framework/index.js';
import { isOf } from './objects.js';
import { type FindClaim, resourceClaimsOf } from './resource-claims.js';

/** The resource claims of the cluster. */
export interface DeviceManager {
  readonly claim: FindClaim;
}

const hasRun = new StateKey<true>();

/** Keeps a pod out of the queue until its resource claims exist. Devices cannot be allocated yet: the pod stays pending, and its event says so. */
export function dynamicResources({ claim: find }: DeviceManager): Plugin {
  return {
    name: 'DynamicResources',
    interests: [
      {
        resource: 'ResourceClaim',
        actions: ['Add', 'Update'],
        isWorthTrying: (pod, event) => mayHelp(pod, event, find),
      },
    ],
    preEnqueue: (pod) => {
      const claims = resourceClaimsOf(pod, find);
      return typeof claims === 'string' ? unresolvable(claims) : success;
    },
    preFilter: ({ state, pod }) => {
      state.write(hasRun, true);
      const claims = resourceClaimsOf(pod, find);
      if (typeof claims === 'string') return { status: unresolvable(claims) };
      if (claims.length === 0) return { status: skip };
      return { status: unresolvable('this scheduler does not allocate the devices of resource claims') };
    },
    // Upstream's plugin fails with this text if its PreFilter has not run.
    postFilter: ({ state }) =>
      state.read(hasRun) === true
        ? { status: unschedulable('no new claims to deallocate') }
        : { status: { code: 'Error', reasons: ['not found'] } },
  };
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
