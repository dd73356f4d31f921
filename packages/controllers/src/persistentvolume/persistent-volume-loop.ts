import { objectKey } from '@binnacle/client/cache';
import { Controller, type ReconcileRequest } from '@binnacle/client/controller';
import { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';
import { StorageClass } from '@binnacle/client/kinds/storage/v1';
import { hasCause, isConflict, isNotFound } from '@binnacle/client/rest';
import type { TypedObject } from '@binnacle/client/typed';
import { claimNames, LatestObjects, podClaimIndexes } from '../common/index.js';
import type { CreateLoop, LoopContext } from '../loop/index.js';
import { Binder } from './binder.js';
import {
  BINDING,
  claimIndexes,
  ofClaim,
  ofVolume,
  openOfClass,
  openUntilDefaultClass,
  volumeIndexes,
} from './indexes.js';
import { reconcileClaim } from './reconcile-claim.js';
import { reconcileVolume } from './reconcile-volume.js';
import { defaultClass } from '../volumes/index.js';

/** How long to wait after a conflict, which means that the cache is stale. The event of the change usually comes first. */
const CONFLICT_MILLISECONDS = 1000;

/** How long a pod may wait for a node before its claims say so. Upstream: the period of a resync. */
const SCHEDULING_MILLISECONDS = 15_000;

/** Requests with a namespace are claims, others volumes. One worker does all, so that no two claims take one volume. */
export const createPersistentVolumeLoop: CreateLoop = (context) => {
  const { informers, events, settings } = context;
  const recorder = events.recorder({ component: 'persistentvolume-controller' });
  const volumes = new LatestObjects(informers.informer(PersistentVolume, { indexes: volumeIndexes }));
  const claims = new LatestObjects(informers.informer(PersistentVolumeClaim, { indexes: claimIndexes }));
  const requests = requestsOf(context);
  return new Controller({
    name: 'persistentvolume-binder',
    watches: [
      {
        resource: PersistentVolume,
        predicate: ({ type, object }) => volumes.observe(object, type === 'delete'),
        map: requests.ofVolume,
      },
      {
        resource: PersistentVolumeClaim,
        predicate: ({ type, object }) => claims.observe(object, type === 'delete'),
        map: requests.ofClaim,
      },
      { resource: StorageClass, predicate: ({ type }) => type !== 'delete', map: requests.ofClass },
      {
        resource: Pod,
        predicate: ({ type, object }) => type === 'create' && (object.spec?.nodeName ?? '') === '',
        map: requests.ofPod,
        delay: SCHEDULING_MILLISECONDS,
      },
    ],
    reads: [
      { resource: PersistentVolume, indexes: volumeIndexes },
      { resource: PersistentVolumeClaim, indexes: claimIndexes },
      { resource: Pod, indexes: podClaimIndexes },
      Node,
    ],
    reconcile: async (request, { client, signal, enqueue, lister, indexer }) => {
      const caches = { volumes, claims, pods: indexer(Pod), classes: lister(StorageClass), nodes: lister(Node) };
      const binder = new Binder({
        ...caches,
        client,
        signal,
        enqueue,
        recorder,
        isHostPathEnabled: settings.enableHostPathProvisioner === true,
      });
      try {
        if (request.namespace === undefined) return await reconcileVolume(request.name, binder);
        return await reconcileClaim(objectKey({ metadata: request }), binder);
      } catch (error) {
        if (isConflict(error)) return { requeueAfter: CONFLICT_MILLISECONDS };
        if (isNotFound(error) || hasCause(error, 'NamespaceTerminating')) return undefined;
        throw error;
      }
    },
  }).bind(context);
};

const requestFor = ({ metadata: { namespace, name = '' } }: TypedObject): ReconcileRequest => ({ namespace, name });

/** The claims and volumes that a change concerns. */
function requestsOf({ informers }: LoopContext) {
  const claimsBy = (value: string) =>
    informers.informer(PersistentVolumeClaim).indexer.byIndex(BINDING, value).map(requestFor);
  const volumesBy = (value: string) =>
    informers.informer(PersistentVolume).indexer.byIndex(BINDING, value).map(requestFor);
  return {
    ofVolume: (volume: PersistentVolume): ReconcileRequest[] => {
      const { namespace = '', name = '' } = volume.spec?.claimRef ?? {};
      const referred = namespace === '' ? [] : [{ namespace, name }];
      return [requestFor(volume), ...referred, ...claimsBy(ofVolume(volume.metadata.name))];
    },
    ofClaim: (claim: PersistentVolumeClaim): ReconcileRequest[] => {
      const { volumeName = '' } = claim.spec ?? {};
      const named = volumeName === '' ? [] : [{ namespace: undefined, name: volumeName }];
      return [requestFor(claim), ...named, ...volumesBy(ofClaim(claim.metadata.namespace, claim.metadata.name))];
    },
    ofClass: (storageClass: StorageClass): ReconcileRequest[] => {
      const isDefault = defaultClass([storageClass]) !== undefined;
      return [
        ...claimsBy(openOfClass(storageClass.metadata.name ?? '')),
        ...(isDefault ? claimsBy(openUntilDefaultClass) : []),
      ];
    },
    ofPod: (pod: Pod): ReconcileRequest[] => {
      const { indexer } = informers.informer(PersistentVolumeClaim);
      const { namespace = '' } = pod.metadata;
      return claimNames(pod)
        .filter((name) => (indexer.get(`${namespace}/${name}`)?.spec?.volumeName ?? 'none') === '')
        .map((name) => ({ namespace, name }));
    },
  };
}
