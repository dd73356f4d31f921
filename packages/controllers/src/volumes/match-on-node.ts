import type { Node, PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import { matchesNodeTerm } from '@binnacle/api/pods';
import {
  hasAccessOf,
  hasAttributesOf,
  hasModeOf,
  isBoundTo,
  isOfClass,
  requestOf,
  selectionOf,
  sizeOf,
} from './fit.js';

/** Whether the volume's node affinity permits the node. It can ask for labels only. Upstream: `CheckNodeAffinity`. */
export function reaches({ spec }: PersistentVolume, { metadata }: Node): boolean {
  const terms = spec?.nodeAffinity?.required?.nodeSelectorTerms;
  if (terms === undefined) return true;
  const { labels = {} } = metadata;
  const labelled: Node = { apiVersion: 'v1', kind: 'Node', metadata: { labels } };
  return terms.some((term) => matchesNodeTerm(term, labelled));
}

/** The volumes that a claim can have, whatever the node of its pod. */
export interface Candidates {
  /** The volume that the claim is bound to. It can have no other. */
  readonly bound: PersistentVolume | undefined;
  /** The smallest is the first. */
  readonly free: readonly PersistentVolume[];
}

export function candidatesOf(claim: PersistentVolumeClaim, volumes: readonly PersistentVolume[]): Candidates {
  // A class has many volumes, and a sort compares each many times. So sizes are parsed once.
  const sized = volumes.filter((volume) => fits(claim, volume)).map((volume) => ({ volume, size: sizeOf(volume) }));
  const wanted = requestOf(claim);
  const fitting = sized.filter(({ size }) => size.compare(wanted) >= 0);
  const bound = fitting.find(({ volume }) => isBoundTo(volume, claim))?.volume;
  if (bound !== undefined) return { bound, free: [] };
  const isSelected = selectionOf(claim);
  const free = fitting.filter(({ volume }) => isFree(claim, volume) && isSelected(volume));
  free.sort((one, other) => one.size.compare(other.size) || byName(one.volume, other.volume));
  return { bound, free: free.map(({ volume }) => volume) };
}

/** The volume for a claim whose pod goes to the node. `taken`: other claims of the pod have these. Upstream: `FindMatchingVolume`. */
export function matchOnNode(
  { bound, free }: Candidates,
  node: Node,
  taken: ReadonlySet<PersistentVolume>,
): PersistentVolume | undefined {
  if (bound !== undefined) return reaches(bound, node) ? bound : undefined;
  return free.find((volume) => !taken.has(volume) && reaches(volume, node));
}

function fits(claim: PersistentVolumeClaim, volume: PersistentVolume): boolean {
  return (
    (volume.spec?.claimRef === undefined || isBoundTo(volume, claim)) &&
    volume.metadata.deletionTimestamp === undefined &&
    hasModeOf(volume, claim) &&
    hasAttributesOf(volume, claim)
  );
}

function isFree(claim: PersistentVolumeClaim, volume: PersistentVolume): boolean {
  return volume.status?.phase === 'Available' && isOfClass(volume, claim) && hasAccessOf(volume, claim);
}

function byName({ metadata: one }: PersistentVolume, { metadata: other }: PersistentVolume): number {
  return (one.name ?? '') < (other.name ?? '') ? -1 : 1;
}
