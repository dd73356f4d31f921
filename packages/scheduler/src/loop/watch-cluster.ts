import { deepEqual } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import type { InformerHandler, SharedInformer } from '@binnacle/client/cache';
import type { AnyObject } from '@binnacle/client/dynamic';
import {
  Namespace,
  Node,
  type PersistentVolume,
  type PersistentVolumeClaim,
  Pod,
  Service,
} from '@binnacle/client/kinds/core/v1';
import type { ResourceClaim } from '@binnacle/client/kinds/resource/v1';
import type { LoopContext } from '@binnacle/controllers/loop';
import { type ClusterEvent, type EventResource, PodFacts, type Resources } from '../framework/index.js';
import type { SchedulingQueue } from '../queue/index.js';
import { resourceClaimKey } from './bind-claims.js';
import { claimKey, nodeKey, podKey, volumeKey } from './bind-volumes.js';
import type { Changes } from './changes.js';
import type { ClusterCache } from './cluster-cache.js';
import type { DeviceCaches } from './device-cache.js';
import { changesScheduling } from './node-changes.js';
import type { Postponed } from './postponed.js';
import type { StorageCaches } from './storage-cache.js';

interface Watched {
  readonly cache: ClusterCache;
  readonly queue: SchedulingQueue;
  readonly storage: StorageCaches;
  readonly devices: DeviceCaches;
  /** Changes of the cache and the queue go through it. */
  readonly postponed: Postponed;
  /** Wakes pods that wait for their volumes. */
  readonly changes: Changes;
  /** Whether the pod has a profile. */
  readonly isScheduled: (pod: PodFacts) => boolean;
  /** Called after each change that may matter to a pod in the queue. */
  readonly wake: () => void;
}

/** Keeps the cache and the queue up to date. Upstream: kubernetes `pkg/scheduler/eventhandlers.go`. */
export function watchCluster({ informers }: Pick<LoopContext, 'informers'>, watched: Watched): Disposable[] {
  const notice = (event: ClusterEvent): void => {
    watched.queue.notice(event);
    watched.wake();
  };
  return [
    watchNodes(informers.informer(Node), watched, notice),
    watchPods(informers.informer(Pod), watched, notice),
    watchLabels(informers.informer(Namespace), 'Namespace', watched.postponed, notice),
    watchLabels(informers.informer(Service), 'Service', watched.postponed, notice),
    ...watchStorage(watched, notice),
    ...watchDevices(watched, notice),
  ];
}

type Notice = (event: ClusterEvent) => void;

function watchNodes(nodes: SharedInformer<Node>, { cache, changes, postponed }: Watched, notice: Notice): Disposable {
  return addHandler(nodes, postponed, {
    onAdd: (after) => {
      cache.setNode(after);
      notice({ resource: 'Node', action: 'Add', after });
    },
    onUpdate: (before, after) => {
      if (!changesScheduling(before, after)) return;
      cache.setNode(after);
      notice({ resource: 'Node', action: 'Update', before, after });
    },
    onDelete: (before) => {
      const { name = '' } = before.metadata;
      cache.deleteNode(name);
      changes.notify(nodeKey(name));
      notice({ resource: 'Node', action: 'Delete', before });
    },
  });
}

function watchPods(pods: SharedInformer<Pod>, watched: Watched, notice: Notice): Disposable {
  const { cache, queue, changes, wake } = watched;
  const remove = (pod: Pod): void => {
    const { uid = '' } = pod.metadata;
    queue.delete(uid);
    changes.notify(podKey(uid));
    const gaveRoom = cache.deletePod(uid);
    if (cache.endNomination(uid) || gaveRoom) notice({ resource: 'AssignedPod', action: 'Delete', before: pod });
  };
  const place = (after: Pod, before: Pod | undefined): void => {
    const facts = new PodFacts(after);
    const { nodeName = '' } = facts.spec;
    if (nodeName !== '') {
      queue.delete(facts.uid);
      cache.endNomination(facts.uid);
      cache.setPod(facts, nodeName);
      const wasAssigned = before !== undefined && isAssigned(before);
      if (!wasAssigned) notice({ resource: 'AssignedPod', action: 'Add', after });
      else if (changesPod(new PodFacts(before), facts)) {
        notice({ resource: 'AssignedPod', action: 'Update', before, after });
      }
    } else if (watched.isScheduled(facts)) {
      cache.nominate(facts, after.status?.nominatedNodeName ?? '');
      queue.set(facts, before === undefined || mayPassNow(before, after));
      wake();
    }
  };
  return addHandler(pods, watched.postponed, {
    onAdd: (pod) => {
      if (!hasEnded(pod)) place(pod, undefined);
    },
    onUpdate: (before, after) => {
      if (hasEnded(after)) remove(after);
      else place(after, before);
    },
    onDelete: remove,
  });
}

function watchStorage({ storage, changes, postponed }: Watched, notice: Notice): Disposable[] {
  const { claims, volumes, classes, drivers, csiNodes, capacities, attachments } = storage;
  const ofVolume = ({ metadata: { name = '' } }: PersistentVolume) => changes.notify(volumeKey(name));
  const ofClaim = (claim: PersistentVolumeClaim) => changes.notify(claimKey(claim));
  return [
    volumes.addHandler({ onAdd: ofVolume, onUpdate: (_, after) => ofVolume(after), onDelete: ofVolume }),
    claims.addHandler({ onAdd: ofClaim, onUpdate: (_, after) => ofClaim(after), onDelete: ofClaim }),
    watchAll(volumes, 'PersistentVolume', postponed, notice),
    watchAll(claims, 'PersistentVolumeClaim', postponed, notice),
    watchAll(classes, 'StorageClass', postponed, notice),
    watchAll(drivers, 'CSIDriver', postponed, notice),
    watchAll(csiNodes, 'CSINode', postponed, notice),
    watchAll(capacities, 'CSIStorageCapacity', postponed, notice),
    watchAll(attachments, 'VolumeAttachment', postponed, notice),
  ];
}

function watchDevices({ devices, changes, postponed }: Watched, notice: Notice): Disposable[] {
  const ofClaim = (claim: ResourceClaim) => changes.notify(resourceClaimKey(claim));
  return [
    devices.claims.addHandler({ onAdd: ofClaim, onUpdate: (_, after) => ofClaim(after), onDelete: ofClaim }),
    watchAll(devices.claims, 'ResourceClaim', postponed, notice),
    watchAll(devices.classes, 'DeviceClass', postponed, notice),
    watchAll(devices.slices, 'ResourceSlice', postponed, notice),
  ];
}

function watchAll<T extends AnyObject>(
  informer: SharedInformer<T>,
  resource: EventResource,
  postponed: Postponed,
  notice: Notice,
): Disposable {
  return addHandler(informer, postponed, {
    onAdd: (after) => notice({ resource, action: 'Add', after }),
    onUpdate: (before, after) => notice({ resource, action: 'Update', before, after }),
    onDelete: (before) => notice({ resource, action: 'Delete', before }),
  });
}

/** As {@link watchAll}, for objects of which only the labels matter. */
function watchLabels<T extends AnyObject>(
  informer: SharedInformer<T>,
  resource: EventResource,
  postponed: Postponed,
  notice: Notice,
): Disposable {
  return addHandler(informer, postponed, {
    onAdd: (after) => notice({ resource, action: 'Add', after }),
    onUpdate: (before, after) => {
      if (!deepEqual(before.metadata?.labels ?? {}, after.metadata?.labels ?? {})) {
        notice({ resource, action: 'Update', before, after });
      }
    },
  });
}

function addHandler<T extends AnyObject>(
  informer: SharedInformer<T>,
  postponed: Postponed,
  handler: InformerHandler<T>,
): Disposable {
  return informer.addHandler({
    onAdd: (object, isInInitialList) => postponed.run(() => handler.onAdd?.(object, isInInitialList)),
    onUpdate: (before, after) => postponed.run(() => handler.onUpdate?.(before, after)),
    onDelete: (object, isUnknown) => postponed.run(() => handler.onDelete?.(object, isUnknown)),
  });
}

const isAssigned = ({ spec }: Pod): boolean => (spec?.nodeName ?? '') !== '';
const generatedClaims = ({ status }: Pod) => asJson(status?.resourceClaimStatuses ?? []);
const hasEnded = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

/** Whether a rejected pod may pass now. The start of its deletion raises the generation too, and is no reason to try it. */
function mayPassNow(before: Pod, after: Pod): boolean {
  if (after.metadata.deletionTimestamp !== undefined) return false;
  return (
    before.metadata.generation !== after.metadata.generation ||
    !deepEqual(before.metadata.labels ?? {}, after.metadata.labels ?? {}) ||
    !deepEqual(generatedClaims(before), generatedClaims(after))
  );
}

/** Whether other pods may fit now: the pod has changed its labels, or requests other amounts. */
function changesPod(before: PodFacts, after: PodFacts): boolean {
  return !deepEqual(before.labels, after.labels) || !areEqual(before.requests, after.requests);
}

function areEqual(one: Resources, other: Resources): boolean {
  return one.size === other.size && [...one].every(([name, amount]) => other.get(name) === amount);
}
