import type { Steps } from '@binnacle/apimachinery/work';
import { Pod } from '@binnacle/client/kinds/core/v1';
import {
  type Attempt,
  type ClusterEvent,
  type NodeState,
  type Plugin,
  type PodFacts,
  type PreFilterResult,
  skip,
  StateKey,
  type Status,
  success,
  unresolvable,
  unschedulable,
} from '../../framework/index.js';
import { Disks } from './disks.js';
import { isOf } from '../objects.js';
import { namesClaim, notFound, persistentClaimNames } from './pod-claims.js';

/** Rejects nodes with a disk that two pods cannot share, and pods with a claim that only one pod may use. */
export const volumeRestrictions: Plugin = {
  name: 'VolumeRestrictions',
  interests: [
    { resource: 'AssignedPod', actions: ['Delete'], isWorthTrying: mayFreeVolume },
    { resource: 'Node', actions: ['Add'] },
    { resource: 'PersistentVolumeClaim', actions: ['Add'], isWorthTrying: namesClaim },
  ],
  preFilter,
  addPod: ({ state }, added) => count(state.read(conflicts), added, 1),
  removePod: ({ state }, removed) => count(state.read(conflicts), removed, -1),
  filter,
};

/** The claims that only one pod may use, how many uses by other pods there are, and the disks of the pod. */
interface Conflicts {
  readonly claims: ReadonlySet<string>;
  uses: number;
  readonly disks: Disks;
}

const conflicts = new StateKey<Conflicts>((known) => ({ ...known }));

function preFilter({ state, pod, snapshot: { storage } }: Attempt): PreFilterResult {
  const claims = new Set<string>();
  for (const name of persistentClaimNames(pod.spec)) {
    const claim = storage.claim(pod.namespace, name);
    if (claim === undefined) return { status: unresolvable(notFound('persistentvolumeclaim', name)) };
    if (claim.spec?.accessModes?.includes('ReadWriteOncePod') === true) claims.add(name);
  }
  const uses = [...claims].filter((name) => storage.isClaimUsed(pod.namespace, name)).length;
  const disks = new Disks(pod.spec.volumes);
  if (uses === 0 && disks.isEmpty) return { status: skip };
  state.write(conflicts, { claims, uses, disks });
  return { status: success };
}

function count(known: Conflicts | undefined, other: PodFacts, change: 1 | -1): void {
  if (known === undefined) return;
  known.uses += change * persistentClaimNames(other.spec).filter((name) => known.claims.has(name)).length;
}

function* filter({ state }: Attempt, node: NodeState): Steps<Status> {
  const { uses = 0, disks } = state.read(conflicts) ?? {};
  if (disks !== undefined && (yield* hasConflict(disks, node.pods)))
    return unschedulable('node(s) had no available disk');
  if (uses === 0) return success;
  return unschedulable(
    'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
  );
}

function* hasConflict(disks: Disks, others: Iterable<PodFacts>): Steps<boolean> {
  if (disks.isEmpty) return false;
  for (const { spec } of others) {
    if (disks.excludeOneOf(spec.volumes)) return true;
    yield;
  }
  return false;
}

function mayFreeVolume(pod: PodFacts, { before }: ClusterEvent): boolean {
  if (!isOf(Pod, before) || before.metadata.namespace !== pod.namespace) return false;
  if (new Disks(pod.spec.volumes).excludeOneOf(before.spec?.volumes)) return true;
  const wanted = new Set(persistentClaimNames(pod.spec));
  return persistentClaimNames(before.spec ?? { containers: [] }).some((name) => wanted.has(name));
}
