import type { Steps } from '@binnacle/apimachinery/work';
import { isClaimOfPod } from '@binnacle/controllers/common';
import { classNameOf } from '@binnacle/controllers/volumes';
import { type PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';
import { CSINode } from '@binnacle/client/kinds/storage/v1';
import {
  type Attempt,
  type ClusterEvent,
  type NodeState,
  type Plugin,
  type PodFacts,
  skip,
  type Status,
  type StorageView,
  success,
  unresolvable,
  unschedulable,
} from '../../framework/index.js';
import { type Disk, driverOfProvisioner, isMigratable, migratedDisk } from './migrated-disks.js';
import { isOf } from '../objects.js';
import { namedClaims, namesClaim, notFound, notOwner } from './pod-claims.js';

/** Rejects nodes to which a driver cannot attach more volumes. */
export const nodeVolumeLimits: Plugin = {
  name: 'NodeVolumeLimits',
  interests: [
    { resource: 'CSINode', actions: ['Add'] },
    { resource: 'CSINode', actions: ['Update'], isWorthTrying: (_, event) => raisesLimit(event) },
    {
      resource: 'AssignedPod',
      actions: ['Delete'],
      isWorthTrying: (_, { before }) => isOf(Pod, before) && hasAttachable(before),
    },
    { resource: 'PersistentVolumeClaim', actions: ['Add'], isWorthTrying: namesClaim },
    { resource: 'VolumeAttachment', actions: ['Delete'] },
  ],
  preFilter: ({ pod }) => ({ status: hasAttachable(pod.pod) ? success : skip }),
  filter,
};

function hasAttachable({ spec }: Pod): boolean {
  return (spec?.volumes ?? []).some(
    (volume) => volume.persistentVolumeClaim !== undefined || volume.ephemeral !== undefined || isMigratable(volume),
  );
}

function* filter({ pod, snapshot: { storage } }: Attempt, node: NodeState): Steps<Status> {
  const missing = namedClaims(pod.pod).find(({ name }) => storage.claim(pod.namespace, name) === undefined);
  if (missing !== undefined) {
    const text = notFound('persistentvolumeclaim', missing.name);
    return unresolvable(`looking up PVC ${pod.namespace}/${missing.name}: ${text}`);
  }
  const csiNode = storage.csiNode(node.name);
  const limits = limitsOf(csiNode);
  if (limits.size === 0) return success;
  const wanted = new Map<string, Disk>();
  addDisks(wanted, pod, storage, csiNode);
  yield;
  const attached = yield* attachedTo(node, storage, csiNode);
  for (const [driver, limit] of limits) {
    let [present, added] = [0, 0];
    for (const disk of attached.values()) if (disk.driver === driver) present++;
    for (const [key, disk] of wanted) if (disk.driver === driver && !attached.has(key)) added++;
    if (added > 0 && present + added > limit) return unschedulable('node(s) exceed max volume count');
  }
  return success;
}

function limitsOf(csiNode: CSINode | undefined): ReadonlyMap<string, number> {
  const limits = new Map<string, number>();
  for (const { name, allocatable } of csiNode?.spec.drivers ?? []) {
    if (allocatable?.count !== undefined) limits.set(name, allocatable.count);
  }
  return limits;
}

/** The disks of the node's pods, and those that are attached although no pod uses them. */
function* attachedTo(
  { name, pods }: NodeState,
  storage: StorageView,
  csiNode: CSINode | undefined,
): Steps<Map<string, Disk>> {
  const attached = new Map<string, Disk>();
  for (const pod of pods) {
    addDisks(attached, pod, storage, csiNode);
    yield;
  }
  for (const { spec } of storage.attachments(name)) {
    const handle = storage.volume(spec.source.persistentVolumeName ?? '')?.spec?.csi?.volumeHandle;
    if (handle !== undefined) add(attached, { driver: spec.attacher, handle });
  }
  return attached;
}

function addDisks(disks: Map<string, Disk>, pod: PodFacts, storage: StorageView, csiNode: CSINode | undefined): void {
  for (const volume of pod.spec.volumes ?? []) add(disks, migratedDisk(volume, csiNode));
  for (const { name, isEphemeral } of namedClaims(pod.pod)) {
    const claim = storage.claim(pod.namespace, name);
    if (claim === undefined) continue;
    if (isEphemeral && !isClaimOfPod(claim, pod.pod)) throw new Error(notOwner(pod, name));
    add(disks, diskOf(claim, storage, csiNode));
  }
}

/** A claim without a volume counts for the driver of its class. */
function diskOf(claim: PersistentVolumeClaim, storage: StorageView, csiNode: CSINode | undefined): Disk | undefined {
  const volume = storage.volume(claim.spec?.volumeName ?? '');
  if (volume !== undefined) {
    const { csi } = volume.spec ?? {};
    if (csi !== undefined) return { driver: csi.driver, handle: csi.volumeHandle };
    return migratedDisk(volume.spec ?? {}, csiNode);
  }
  const storageClass = storage.storageClass(classNameOf(claim) ?? '');
  const driver = storageClass && driverOfProvisioner(storageClass.provisioner, csiNode);
  const { namespace = '', name = '' } = claim.metadata;
  return driver === undefined ? undefined : { driver, handle: `claim ${namespace}/${name}` };
}

function add(disks: Map<string, Disk>, disk: Disk | undefined): void {
  if (disk !== undefined && disk.handle !== '') disks.set(`${disk.driver}/${disk.handle}`, disk);
}

function raisesLimit({ before, after }: ClusterEvent): boolean {
  if (!isOf(CSINode, before) || !isOf(CSINode, after)) return true;
  const limits = limitsOf(before);
  return [...limitsOf(after)].some(([driver, limit]) => limit > (limits.get(driver) ?? 0));
}
