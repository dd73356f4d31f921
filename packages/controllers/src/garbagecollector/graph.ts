import type { ObjectMeta, OwnerReference } from '@binnacle/client/typed';
import { compactReference } from './compact.js';
import { type Consequences, type Found, noteMisplaced, nothingYet } from './consequences.js';
import { isBeingDeleted, waitingOf } from './deletion.js';
import { areSameReferences, type Identity, isSame, isSameReference, refersTo } from './identity.js';
import { emptyNode, link, type MutableNode, namespaceOf, type Node, unlink } from './node.js';
import { type Standing, standingOf } from './standing.js';

const MOST_ABSENCES = 16;

/** Who owns whom, as far as it has been seen. The table of its transitions is in the README. */
export class DependencyGraph {
  readonly #nodes = new Map<string, MutableNode>();

  get size(): number {
    return this.#nodes.size;
  }

  node(uid: string): Node | undefined {
    return this.#nodes.get(uid);
  }

  /** The object is there, and is so. */
  observe(identity: Identity, metadata: ObjectMeta): Consequences {
    const found = nothingYet();
    const node = this.#nodeOf(identity.uid);
    if (node.identity === undefined) this.#meet(node, identity, found);
    this.#relink(node, metadata.ownerReferences ?? [], found);
    node.beingDeleted = isBeingDeleted(metadata);
    const waitsFor = waitingOf(metadata);
    if (waitsFor !== node.waitsFor && waitsFor !== undefined) {
      found.suspects.add(node.uid);
      for (const { uid } of node.dependents) found.suspects.add(uid);
    }
    node.waitsFor = waitsFor;
    return found;
  }

  /** The server has told that the object is gone. */
  remove(identity: Identity): Consequences {
    const found = nothingYet();
    const node = this.#nodes.get(identity.uid);
    if (node === undefined) return found;
    remember(node, node.identity ?? identity);
    for (const dependent of node.dependents) found.suspects.add(dependent.uid);
    this.#lose(node, found);
    return found;
  }

  /** Nobody sees the object any more, which does not mean that it is gone. */
  forget(uid: string): Consequences {
    const found = nothingYet();
    const node = this.#nodes.get(uid);
    if (node?.identity === undefined) return found;
    if (node.dependents.size > 0) found.suspects.add(uid);
    this.#lose(node, found);
    return found;
  }

  /** The server was asked for an object of this uid there, and has none. */
  markAbsent(identity: Identity): Consequences {
    const found = nothingYet();
    const node = this.#nodes.get(identity.uid);
    // What watches it will say so too.
    if (node === undefined || (node.identity !== undefined && isSame(node.identity, identity))) return found;
    remember(node, identity);
    for (const dependent of node.dependents) {
      const meant = dependent.owners.some((owner) => refersTo(owner, namespaceOf(dependent), identity));
      if (meant) found.suspects.add(dependent.uid);
    }
    return found;
  }

  /** Uids of nodes of which the graph knows too little; whoever learns anew what the server serves may learn more. */
  *uncertain(): Generator<string> {
    for (const node of this.#nodes.values()) {
      const unsure = node.owners.some((owner) => this.standing(node, owner) === 'unknown');
      if (node.identity === undefined || unsure) yield node.uid;
    }
  }

  standing(dependent: Node, reference: OwnerReference): Standing {
    const owner = this.#nodes.get(reference.uid);
    if (owner === undefined) return 'unknown';
    const namespace = namespaceOf(dependent);
    if (owner.identity !== undefined && refersTo(reference, namespace, owner.identity)) {
      return standingOf(owner.waitsFor);
    }
    return owner.absentAs.some((identity) => refersTo(reference, namespace, identity)) ? 'absent' : 'unknown';
  }

  #nodeOf(uid: string): MutableNode {
    const known = this.#nodes.get(uid);
    if (known !== undefined) return known;
    const node = emptyNode(uid);
    this.#nodes.set(uid, node);
    return node;
  }

  /** The object has been spoken of, perhaps wrongly, and is seen at last. */
  #meet(node: MutableNode, identity: Identity, found: Found): void {
    node.identity = identity;
    node.absentAs = node.absentAs.filter((absent) => !isSame(absent, identity));
    for (const dependent of node.dependents) {
      for (const reference of dependent.owners) {
        if (reference.uid !== node.uid || refersTo(reference, namespaceOf(dependent), identity)) continue;
        found.suspects.add(dependent.uid);
        noteMisplaced(dependent, reference, identity, found);
      }
    }
  }

  #relink(node: MutableNode, after: readonly OwnerReference[], found: Found): void {
    const before = node.owners;
    if (areSameReferences(before, after)) return;
    node.owners = after.map((reference) => this.#kept(reference, before));
    for (const { uid } of node.owners) link(this.#nodeOf(uid), node);
    for (const reference of before) this.#release(node, reference, found);
    for (const reference of node.owners) if (!before.includes(reference)) this.#check(node, reference, found);
  }

  /** The same reference, in the form in which it is kept: one for all dependents that say the same. */
  #kept(reference: OwnerReference, before: readonly OwnerReference[]): OwnerReference {
    const same = (each: OwnerReference) => isSameReference(each, reference);
    const [sibling] = this.#nodes.get(reference.uid)?.dependents ?? [];
    return before.find(same) ?? sibling?.owners.find(same) ?? compactReference(reference);
  }

  /** The node had this reference: does its owner still wait for it, and does anybody still speak of the owner? */
  #release(node: Node, reference: OwnerReference, found: Found): void {
    const { uid } = reference;
    const owner = this.#nodes.get(uid);
    if (owner === undefined || node.owners.includes(reference)) return;
    if (owner.waitsFor !== undefined) found.suspects.add(uid);
    if (!node.owners.some((kept) => kept.uid === uid)) unlink(owner, node);
    this.#dropIfUnspokenOf(owner);
  }

  /** The node has a reference that it did not have before. */
  #check(node: Node, reference: OwnerReference, found: Found): void {
    const owner = this.#nodes.get(reference.uid);
    if (owner?.identity !== undefined) noteMisplaced(node, reference, owner.identity, found);
    const standing = this.standing(node, reference);
    const unseen = standing === 'unknown' && owner?.identity === undefined;
    if (standing !== 'solid') found.suspects.add(unseen ? reference.uid : node.uid);
  }

  /** What was seen is seen no longer. Others may still speak of it. */
  #lose(node: MutableNode, found: Found): void {
    const { owners } = node;
    node.identity = undefined;
    node.owners = [];
    node.beingDeleted = false;
    node.waitsFor = undefined;
    for (const reference of owners) this.#release(node, reference, found);
    this.#dropIfUnspokenOf(node);
  }

  #dropIfUnspokenOf({ uid, identity, dependents }: Node): void {
    if (identity === undefined && dependents.size === 0) this.#nodes.delete(uid);
  }
}

function remember(node: MutableNode, absent: Identity): void {
  const others = node.absentAs.filter((each) => !isSame(each, absent));
  node.absentAs = [absent, ...others].slice(0, MOST_ABSENCES);
}
