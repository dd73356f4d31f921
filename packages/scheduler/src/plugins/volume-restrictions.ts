import { Pod, type Volume } from '@binnacle/client/kinds/core/v1';
import {
  type Attempt,
  type ClusterEvent,
  type NodeState,
  type Plugin,
  PodFacts,
  type PreFilterResult,
  skip,
  StateKey,
  type Status,
  success,
  unresolvable,
  unschedulable,
} from '../framework/index.js';
import { isOf } from './objects.js';
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

/** The claims that only one pod may use, and how many uses by other pods there are. */
interface Conflicts {
  readonly claims: ReadonlySet<string>;
  uses: number;
}

const conflicts = new StateKey<Conflicts>(({ claims, uses }) => ({ claims, uses }));

function preFilter({ state, pod, snapshot: { storage } }: Attempt): PreFilterResult {
  const claims = new Set<string>();
  for (const name of persistentClaimNames(pod.spec)) {
    const claim = storage.claim(pod.namespace, name);
    if (claim === undefined) return { status: unresolvable(notFound('persistentvolumeclaim', name)) };
    if (claim.spec?.accessModes?.includes('ReadWriteOncePod') === true) claims.add(name);
  }
  const uses = [...claims].filter((name) => storage.isClaimUsed(pod.namespace, name)).length;
  if (uses === 0 && !(pod.spec.volumes ?? []).some(isDisk)) return { status: skip };
  state.write(conflicts, { claims, uses });
  return { status: success };
}

function count(known: Conflicts | undefined, other: PodFacts, change: 1 | -1): void {
  if (known === undefined) return;
  known.uses += change * persistentClaimNames(other.spec).filter((name) => known.claims.has(name)).length;
}

function filter({ state, pod }: Attempt, node: NodeState): Status {
  if (hasConflict(pod, node.pods)) return unschedulable('node(s) had no available disk');
  if ((state.read(conflicts)?.uses ?? 0) === 0) return success;
  return unschedulable(
    'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
  );
}

function hasConflict({ spec }: PodFacts, others: Iterable<PodFacts>): boolean {
  const disks = (spec.volumes ?? []).filter(isDisk);
  if (disks.length === 0) return false;
  for (const other of others) {
    if (disks.some((disk) => other.spec.volumes?.some((taken) => excludes(disk, taken)))) return true;
  }
  return false;
}

function isDisk({ gcePersistentDisk, awsElasticBlockStore, rbd, iscsi }: Volume): boolean {
  return (gcePersistentDisk ?? awsElasticBlockStore ?? rbd ?? iscsi) !== undefined;
}

/** Whether the volumes are one disk that the two cannot share. Readers share all but those of AWS. */
function excludes(one: Volume, other: Volume): boolean {
  const bothRead = (a: { readOnly?: boolean }, b: { readOnly?: boolean }) => a.readOnly === true && b.readOnly === true;
  const [gce, otherGce] = [one.gcePersistentDisk, other.gcePersistentDisk];
  if (gce && otherGce && gce.pdName === otherGce.pdName && !bothRead(gce, otherGce)) return true;
  const [aws, otherAws] = [one.awsElasticBlockStore, other.awsElasticBlockStore];
  if (aws && otherAws && aws.volumeID === otherAws.volumeID) return true;
  const [iscsi, otherIscsi] = [one.iscsi, other.iscsi];
  if (iscsi && otherIscsi && iscsi.iqn === otherIscsi.iqn && !bothRead(iscsi, otherIscsi)) return true;
  const [rbd, otherRbd] = [one.rbd, other.rbd];
  if (!rbd || !otherRbd || bothRead(rbd, otherRbd)) return false;
  const isSameImage = rbd.image === otherRbd.image && (rbd.pool ?? 'rbd') === (otherRbd.pool ?? 'rbd');
  return isSameImage && rbd.monitors.some((monitor) => otherRbd.monitors.includes(monitor));
}

function mayFreeVolume(pod: PodFacts, { before }: ClusterEvent): boolean {
  if (!isOf(Pod, before) || before.metadata.namespace !== pod.namespace) return false;
  const deleted = new PodFacts(before);
  const wanted = new Set(persistentClaimNames(pod.spec));
  return hasConflict(pod, [deleted]) || persistentClaimNames(deleted.spec).some((name) => wanted.has(name));
}
