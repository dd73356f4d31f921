import type { ObjectMeta, OwnerReference } from '@binnacle/client/typed';
import type { Identity } from './identity.js';

/** The finalizers that the garbage collector removes: once dependents have dropped their references, or once they are deleted. */
export type CollectorFinalizer = 'orphan' | 'foregroundDeletion';

/** What the graph knows about the owner that a reference names. */
export type OwnerState =
  /** It exists. */
  | 'solid'
  /** It waits with `foregroundDeletion` for its dependents to be deleted. */
  | 'deletingDependents'
  /** It waits with `orphan` for its dependents to drop their references. */
  | 'orphaning'
  /** The server answered a get with NotFound. */
  | 'absent'
  /** The loop has not asked the server yet, or got no answer. */
  | 'unknown';

/** An object, or an owner that others name and that no watch has shown. It holds nothing but identity and ownership. */
export interface Node {
  readonly uid: string;
  /** Undefined for an owner that no watch has shown, or shows no longer. */
  readonly identity: Identity | undefined;
  readonly owners: readonly OwnerReference[];
  /** Nodes with a reference to this uid, whether or not the reference matches. */
  readonly dependents: ReadonlySet<Node>;
  readonly beingDeleted: boolean;
  /** Set while the object is being deleted and waits for the collector. */
  readonly pendingFinalizer: CollectorFinalizer | undefined;
  /** Identities of this uid for which the server answered NotFound. A bounded cache that saves requests. */
  readonly absentAs: readonly Identity[];
}

export interface MutableNode extends Node {
  identity: Identity | undefined;
  owners: readonly OwnerReference[];
  dependents: Set<Node>;
  beingDeleted: boolean;
  pendingFinalizer: CollectorFinalizer | undefined;
  absentAs: readonly Identity[];
}

/** Most objects have no dependents or no owners. They share these, which saves memory. */
const NO_DEPENDENTS: Set<Node> = new Set();
const EMPTY: readonly never[] = [];

export function emptyNode(uid: string): MutableNode {
  return {
    uid,
    identity: undefined,
    owners: EMPTY,
    dependents: NO_DEPENDENTS,
    beingDeleted: false,
    pendingFinalizer: undefined,
    absentAs: EMPTY,
  };
}

export function link(owner: MutableNode, dependent: Node): void {
  if (owner.dependents === NO_DEPENDENTS) owner.dependents = new Set();
  owner.dependents.add(dependent);
}

export function unlink(owner: MutableNode, dependent: Node): void {
  if (owner.dependents.delete(dependent) && owner.dependents.size === 0) owner.dependents = NO_DEPENDENTS;
}

export function namespaceOf({ identity }: Node): string {
  return identity?.namespace ?? '';
}

export function isBeingDeleted({ deletionTimestamp }: ObjectMeta): boolean {
  return typeof deletionTimestamp === 'string';
}

/** Undefined for an object that is not being deleted, whatever its finalizers. */
export function pendingFinalizerOf(metadata: ObjectMeta): CollectorFinalizer | undefined {
  if (!isBeingDeleted(metadata)) return undefined;
  if (hasFinalizer(metadata, 'orphan')) return 'orphan';
  return hasFinalizer(metadata, 'foregroundDeletion') ? 'foregroundDeletion' : undefined;
}

export function hasFinalizer({ finalizers }: ObjectMeta, finalizer: CollectorFinalizer): boolean {
  return finalizers?.includes(finalizer) === true;
}

/** The state of an owner that exists. */
export function existingOwnerState(
  pendingFinalizer: CollectorFinalizer | undefined,
): 'solid' | 'deletingDependents' | 'orphaning' {
  if (pendingFinalizer === undefined) return 'solid';
  return pendingFinalizer === 'orphan' ? 'orphaning' : 'deletingDependents';
}
