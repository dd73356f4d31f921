import type { Deployment, ReplicaSet } from '@binnacle/client/kinds/apps/v1';
import type { PlannedEvent } from '../common/index.js';
import { sizeAnnotations } from './annotations.js';
import { maxSurge } from './limits.js';
import type { Resize } from './scaling.js';
import { replicasOf } from './sets.js';
import type { Conditions } from './status.js';

/** A set to write, and the events to record afterwards. */
export interface PlannedSet {
  readonly set: ReplicaSet;
  readonly events: readonly PlannedEvent[];
}

/** A plan in the making. Later decisions see the sets as earlier ones leave them. Lives for one plan. */
export interface Draft {
  readonly deployment: Deployment;
  readonly now: number;
  /** Sets of other templates, the oldest first. */
  oldSets: readonly ReplicaSet[];
  /** The set of the current template. */
  newSet: ReplicaSet | undefined;
  isCreated: boolean;
  conditions: Conditions;
  /** The number of the current rollout; undefined without a set of the current template. */
  revision: string | undefined;
  /** By name. */
  readonly changed: Map<string, PlannedSet>;
}

export function allSets({ oldSets, newSet }: Draft): ReplicaSet[] {
  return [...oldSets, ...(newSet === undefined ? [] : [newSet])];
}

/** Replaces the set of this name, and notes that it must be written. */
export function change(draft: Draft, set: ReplicaSet, ...events: readonly PlannedEvent[]): void {
  const { name = '' } = set.metadata;
  draft.changed.set(name, { set, events: [...(draft.changed.get(name)?.events ?? []), ...events] });
  if (draft.newSet?.metadata.name === name) draft.newSet = set;
  else draft.oldSets = draft.oldSets.map((each) => (each.metadata.name === name ? set : each));
}

/** Plans the new size, and the annotations that record the size of the Deployment. Returns whether the number of replicas changes. */
export function resize(draft: Draft, { set, replicas, recordsSize }: Resize): boolean {
  const from = replicasOf(set);
  if (set.spec === undefined || (from === replicas && !recordsSize)) return false;
  const { deployment } = draft;
  const present = set.metadata.annotations ?? {};
  const size = sizeAnnotations(replicasOf(deployment), maxSurge(deployment));
  const isRecorded = Object.entries(size).every(([key, value]) => present[key] === value);
  if (from === replicas && isRecorded) return false;
  const annotations = { ...present, ...size };
  const resized = { ...set, metadata: { ...set.metadata, annotations }, spec: { ...set.spec, replicas } };
  change(draft, resized, ...(from === replicas ? [] : [scalingEvent(set.metadata.name ?? '', from, replicas)]));
  return from !== replicas;
}

export function scalingEvent(name: string, from: number, to: number): PlannedEvent {
  const message = `Scaled ${from < to ? 'up' : 'down'} replica set ${name} from ${from} to ${to}`;
  return { type: 'Normal', reason: 'ScalingReplicaSet', message };
}
