import { deepEqual } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import { objectKey } from '@binnacle/client/cache';
import { Controller, type Predicate, type ReconcileRequest, type ReconcileResult } from '@binnacle/client/controller';
import type { EventRecorder } from '@binnacle/client/events';
import { Pod } from '@binnacle/client/kinds/core/v1';
import { ResourceClaim, ResourceSlice } from '@binnacle/client/kinds/resource/v1';
import { evictPod, type OwnerContext, reconcileOwner } from '../common/index.js';
import type { CreateLoop } from '../loop/index.js';
import { claimIndexes, claimsAffected, mayTaint, sliceIndexes, taintsOf } from './devices.js';
import { evictionTime } from './plan.js';

const NAME = 'device-taint-eviction-controller';
/** Upstream: `--concurrent-device-taint-eviction-syncs`. */
const CONCURRENCY = 8;

const CAUSE = {
  reason: 'DeletionByDeviceTaintManager',
  message: 'Device Taint manager: deleting due to NoExecute taint',
};

interface Parts {
  readonly recorder: EventRecorder;
  /** The uids of pods whose eviction is planned, by `namespace/name`. A restart forgets them, and plans them again. */
  readonly planned: Map<string, string | undefined>;
}

/** Upstream: kubernetes `pkg/controller/devicetainteviction`, without DeviceTaintRules: the feature is off by default. */
export const createDeviceTaintEvictionLoop: CreateLoop = (context) => {
  const { informers, events } = context;
  const parts: Parts = { recorder: events.recorder({ component: NAME }), planned: new Map() };
  const claims = informers.informer(ResourceClaim, { indexes: claimIndexes });
  const slices = informers.informer(ResourceSlice, { indexes: sliceIndexes });
  return new Controller({
    name: NAME,
    for: Pod,
    predicate: mayUseOthers,
    watches: [
      { resource: ResourceClaim, map: podsOf },
      {
        resource: ResourceSlice,
        predicate: mayTaint,
        map: (slice) => [...claimsAffected(slice, slices.indexer, claims.indexer)].flatMap(podsOf),
      },
    ],
    reads: [
      { resource: ResourceClaim, indexes: claimIndexes },
      { resource: ResourceSlice, indexes: sliceIndexes },
    ],
    concurrency: CONCURRENCY,
    reconcile: reconcileOwner(
      {
        resource: Pod,
        writes: [],
        informers,
        gone: (request) => void parts.planned.delete(objectKey({ metadata: request })),
      },
      (pod, owner) => reconcilePod(pod, owner, parts),
    ),
  }).bind(context);
};

async function reconcilePod(pod: Pod, context: OwnerContext, parts: Parts): Promise<ReconcileResult | void> {
  const { lister, indexer, clock } = context;
  const { planned, recorder } = parts;
  const { namespace = '', uid, deletionTimestamp } = pod.metadata;
  const key = objectKey(pod);
  const now = clock.now();
  const due = evictionTime(pod, {
    claimOf: (name) => lister(ResourceClaim).namespace(namespace).get(name),
    taintsOf: (device) => taintsOf(indexer(ResourceSlice), device),
  });
  if (due !== undefined && due > now) {
    planned.set(key, uid);
    return { requeueAfter: due - now };
  }
  if (due === undefined) {
    if (planned.has(key) && planned.get(key) === uid) announce(pod, 'Cancelling deletion', recorder);
  } else if (deletionTimestamp === undefined && (await evictPod(context, pod, CAUSE))) {
    announce(pod, 'Marking for deletion', recorder);
  }
  planned.delete(key);
  return undefined;
}

function announce({ metadata }: Pod, message: string, recorder: EventRecorder): void {
  const { namespace = '', name = '', uid } = metadata;
  const pod = { apiVersion: 'v1', kind: 'Pod', namespace, name, ...(uid === undefined ? {} : { uid }) };
  recorder.event(pod, 'Normal', 'DeviceTaintManagerEviction', message);
}

function podsOf({ metadata: { namespace }, status }: ResourceClaim): ReconcileRequest[] {
  return (status?.reservedFor ?? []).flatMap(({ apiGroup = '', resource, name }) =>
    apiGroup === '' && resource === 'pods' ? [{ namespace, name }] : [],
  );
}

/** Pods change often, and seldom in what they use. */
const mayUseOthers: Predicate<Pod> = (change) => {
  if ((change.object.spec?.resourceClaims ?? []).length === 0) return false;
  if (change.type !== 'update') return true;
  const { before, object } = change;
  return (
    before.metadata.uid !== object.metadata.uid ||
    before.spec?.nodeName !== object.spec?.nodeName ||
    !deepEqual(asJson(before.status?.resourceClaimStatuses ?? []), asJson(object.status?.resourceClaimStatuses ?? []))
  );
};
