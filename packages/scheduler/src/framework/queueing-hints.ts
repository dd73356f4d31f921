import type { AnyObject } from '@binnacle/client/dynamic';
import type { PodFacts } from './pod-facts.js';

/** The kinds of objects whose changes can let a pod pass. `AssignedPod` is a pod on a node. */
export type EventResource =
  | 'AssignedPod'
  | 'UnscheduledPod'
  | 'Node'
  | 'Namespace'
  | 'PersistentVolume'
  | 'PersistentVolumeClaim'
  | 'StorageClass'
  | 'CSINode'
  | 'CSIDriver'
  | 'CSIStorageCapacity'
  | 'VolumeAttachment'
  | 'ResourceClaim'
  | 'ResourceSlice'
  | 'DeviceClass'
  | 'Service';

export type EventAction = 'Add' | 'Update' | 'Delete';

/** A change of the cluster. `before` is missing for Add, `after` for Delete. */
export interface ClusterEvent {
  readonly resource: EventResource;
  readonly action: EventAction;
  readonly before?: AnyObject;
  readonly after?: AnyObject;
}

/** Changes after which a plugin may let a pod pass that it has rejected. Upstream: `ClusterEventWithHint`. */
export interface EventInterest {
  readonly resource: EventResource;
  readonly actions: readonly EventAction[];
  /** Whether this change is worth another attempt for this pod. Default: it is. */
  readonly isWorthTrying?: (pod: PodFacts, event: ClusterEvent) => boolean;
}
