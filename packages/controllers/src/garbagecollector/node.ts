import type { OwnerReference } from '@binnacle/client/typed';
import type { Waiting } from './deletion.js';
import type { Identity } from './identity.js';

/** An object, or what others say is one. Nothing is kept of it but who it is, and who owns whom. */
export interface Node {
  readonly uid: string;
  /** Undefined: nobody has seen it yet, or not any more; others refer to it. */
  readonly identity: Identity | undefined;
  readonly owners: readonly OwnerReference[];
  /** Nodes with a reference to this uid, rightly or not. */
  readonly dependents: ReadonlySet<Node>;
  readonly beingDeleted: boolean;
  readonly waitsFor: Waiting | undefined;
  /** Where the server has said that no object of this uid is. A memory that spares requests: it may forget. */
  readonly absentAs: readonly Identity[];
}

export interface MutableNode extends Node {
  identity: Identity | undefined;
  owners: readonly OwnerReference[];
  dependents: Set<Node>;
  beingDeleted: boolean;
  waitsFor: Waiting | undefined;
  absentAs: readonly Identity[];
}

/** Most objects own nothing, or have no owners, and share these. */
const NONE: Set<Node> = new Set();
const NOTHING: readonly never[] = [];

export function emptyNode(uid: string): MutableNode {
  return {
    uid,
    identity: undefined,
    owners: NOTHING,
    dependents: NONE,
    beingDeleted: false,
    waitsFor: undefined,
    absentAs: NOTHING,
  };
}

export function link(owner: MutableNode, dependent: Node): void {
  if (owner.dependents === NONE) owner.dependents = new Set();
  owner.dependents.add(dependent);
}

export function unlink(owner: MutableNode, dependent: Node): void {
  if (owner.dependents.delete(dependent) && owner.dependents.size === 0) owner.dependents = NONE;
}

export function namespaceOf({ identity }: Node): string {
  return identity?.namespace ?? '';
}
