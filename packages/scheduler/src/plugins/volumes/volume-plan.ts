import { type LabelSelector, labelSelectorFromObject } from '@binnacle/apimachinery/labels';
import { Quantity } from '@binnacle/apimachinery/quantity';
import type { Steps } from '@binnacle/apimachinery/work';
import {
  annotationOf,
  type Candidates,
  candidatesOf,
  classNameOf,
  matchOnNode,
  reaches,
  requestOf,
  SELECTED_NODE,
} from '@binnacle/controllers/volumes';
import type { Node, PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import type { CSIStorageCapacity, StorageClass } from '@binnacle/client/kinds/storage/v1';
import type { StorageView } from '../../framework/index.js';

/** What must be bound before a pod can run on a node. */
export interface VolumePlan {
  readonly bindings: readonly VolumeBinding[];
  /** Claims for which a provisioner must make a volume that the node reaches. */
  readonly provisions: readonly PersistentVolumeClaim[];
}

export interface VolumeBinding {
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume;
}

export const NO_VOLUME = "node(s) didn't find available persistent volumes to bind";
export const NOT_REACHED = "node(s) didn't match PersistentVolume's node affinity";
export const NO_SPACE = 'node(s) did not have enough free storage';
export const LOST_VOLUME = 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';

/** The provisioner of a storage class whose volumes no program creates. */
const NO_PROVISIONER = 'kubernetes.io/no-provisioner';
const NOTHING: VolumePlan = { bindings: [], provisions: [] };

/** A claim that waits for a node. */
interface OpenClaim {
  readonly claim: PersistentVolumeClaim;
  /** An earlier attempt asked its provisioner for a volume on this node. */
  readonly selectedNode: string | undefined;
  readonly candidates: Candidates;
  readonly storageClass: StorageClass | undefined;
  /** Selects the nodes that reach enough free storage; undefined if the driver does not report it. */
  readonly roomy: readonly LabelSelector[] | undefined;
}

/** The claims of a pod, and what does not depend on the node. */
export interface PodClaims {
  /** The volumes of bound claims; undefined for one that is gone. */
  readonly bound: readonly (PersistentVolume | undefined)[];
  /** The smallest request is the first. */
  readonly open: readonly OpenClaim[];
}

export function* openClaims(claims: readonly PersistentVolumeClaim[], storage: StorageView): Steps<OpenClaim[]> {
  const open: OpenClaim[] = [];
  for (const claim of claims.toSorted((one, other) => requestOf(one).compare(requestOf(other)))) {
    const className = classNameOf(claim) ?? '';
    const storageClass = storage.storageClass(className);
    const candidates = candidatesOf(claim, storage.volumesOfClass(className));
    const roomy = roomyNodes(claim, storageClass, storage);
    open.push({ claim, selectedNode: annotationOf(claim, SELECTED_NODE), candidates, storageClass, roomy });
    yield;
  }
  return open;
}

/** What to bind if the pod goes to the node, or why it cannot go there. Upstream: `FindPodVolumes`. */
export function* planVolumes({ bound, open }: PodClaims, node: Node): Steps<VolumePlan | readonly string[]> {
  // The first volume that is gone or out of reach decides.
  const fault = bound.findIndex((volume) => volume === undefined || !reaches(volume, node));
  const isLost = fault >= 0 && bound[fault] === undefined;
  const reasons = fault >= 0 && !isLost ? [NOT_REACHED] : [];
  const plan = yield* planOpen(open, node);
  if (typeof plan === 'string') reasons.push(plan);
  if (isLost) reasons.push(LOST_VOLUME);
  return reasons.length > 0 || typeof plan === 'string' ? reasons : plan;
}

function* planOpen(open: readonly OpenClaim[], node: Node): Steps<VolumePlan | string> {
  if (open.length === 0) return NOTHING;
  if (open.some(({ selectedNode }) => selectedNode !== undefined && selectedNode !== node.metadata.name))
    return NO_VOLUME;
  const bindings: VolumeBinding[] = [];
  const provisions: PersistentVolumeClaim[] = [];
  const taken = new Set<PersistentVolume>();
  for (const each of open) {
    yield;
    const volume = each.selectedNode === undefined ? matchOnNode(each.candidates, node, taken) : undefined;
    if (volume !== undefined) {
      taken.add(volume);
      bindings.push({ claim: each.claim, volume });
      continue;
    }
    const fault = provisioningFault(each, node);
    if (fault !== undefined) return fault;
    provisions.push(each.claim);
  }
  return { bindings, provisions };
}

/** Why no volume for the claim can be made that the node reaches. */
function provisioningFault({ storageClass, roomy }: OpenClaim, node: Node): string | undefined {
  const { provisioner = NO_PROVISIONER } = storageClass ?? {};
  if (provisioner === '' || provisioner === NO_PROVISIONER) return NO_VOLUME;
  if (!allowsTopology(storageClass, node)) return NO_VOLUME;
  if (roomy === undefined || roomy.some((selector) => selector.matches(node.metadata.labels ?? {}))) return undefined;
  return NO_SPACE;
}

function allowsTopology(storageClass: StorageClass | undefined, { metadata: { labels = {} } }: Node): boolean {
  const { allowedTopologies = [] } = storageClass ?? {};
  if (allowedTopologies.length === 0) return true;
  return allowedTopologies.some(
    ({ matchLabelExpressions = [] }) =>
      matchLabelExpressions.length > 0 &&
      matchLabelExpressions.every(
        ({ key, values }) => Object.hasOwn(labels, key) && values.includes(labels[key] ?? ''),
      ),
  );
}

function roomyNodes(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass | undefined,
  storage: StorageView,
): readonly LabelSelector[] | undefined {
  if (storageClass === undefined || claim.spec?.resources?.requests?.['storage'] === undefined) return undefined;
  if (storage.driver(storageClass.provisioner)?.spec.storageCapacity !== true) return undefined;
  const wanted = requestOf(claim);
  return storage
    .capacitiesOfClass(storageClass.metadata.name ?? '')
    .filter((capacity) => (limitOf(capacity)?.compare(wanted) ?? -1) >= 0)
    .flatMap(({ nodeTopology }) => (nodeTopology === undefined ? [] : [labelSelectorFromObject(nodeTopology)]));
}

/** The largest volume that the capacity has room for. */
export function limitOf({ maximumVolumeSize, capacity }: CSIStorageCapacity): Quantity | undefined {
  const limit = maximumVolumeSize ?? capacity;
  return limit === undefined ? undefined : Quantity.parse(limit);
}
