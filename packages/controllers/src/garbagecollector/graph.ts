import type { ObjectMeta, OwnerReference } from '@binnacle/client/typed';
import { areSameReferences, canOwnIn, compactReference, type Identity, isSame, refersTo } from './identity.js';
import {
  emptyNode,
  existingOwnerState,
  isBeingDeleted,
  link,
  type MutableNode,
  namespaceOf,
  type Node,
  type OwnerState,
  pendingFinalizerOf,
  unlink,
} from './node.js';
import { equalReference, referencesTo } from './references.js';

/** What a change of the graph calls for. */
export interface Effects {
  /** Uids of nodes to process: the collector may have work for them. */
  readonly candidates: ReadonlySet<string>;
  /** References to owners in another namespace. They own nothing. */
  readonly crossNamespace: readonly CrossNamespaceReference[];
}

export interface CrossNamespaceReference {
  readonly dependent: Identity;
  readonly reference: OwnerReference;
}

interface MutableEffects {
  readonly candidates: Set<string>;
  readonly crossNamespace: CrossNamespaceReference[];
}

const MAX_ABSENT_IDENTITIES = 16;

/** Who owns which objects, as far as watches have shown. The README has the table of transitions. */
export class DependencyGraph {
  readonly #nodes = new Map<string, MutableNode>();

  get size(): number {
    return this.#nodes.size;
  }

  node(uid: string): Node | undefined {
    return this.#nodes.get(uid);
  }

  /** A watch or a list has shown the object. */
  observe(identity: Identity, metadata: ObjectMeta): Effects {
    const effects = noEffects();
    const node = this.#nodeOf(identity.uid);
    if (node.identity === undefined) this.#identify(node, identity, effects);
    this.#setOwners(node, metadata.ownerReferences ?? [], effects);
    node.beingDeleted = isBeingDeleted(metadata);
    const pendingFinalizer = pendingFinalizerOf(metadata);
    if (pendingFinalizer !== node.pendingFinalizer && pendingFinalizer !== undefined) {
      effects.candidates.add(node.uid);
      for (const { uid } of node.dependents) effects.candidates.add(uid);
    }
    node.pendingFinalizer = pendingFinalizer;
    return effects;
  }

  /** A DELETED event has shown that the object is gone. */
  remove(identity: Identity): Effects {
    const effects = noEffects();
    const node = this.#nodes.get(identity.uid);
    if (node === undefined) return effects;
    rememberAbsent(node, node.identity ?? identity);
    for (const dependent of node.dependents) effects.candidates.add(dependent.uid);
    this.#clear(node, effects);
    return effects;
  }

  /** No watch shows the object any longer. That does not prove that it is gone. */
  forget(uid: string): Effects {
    const effects = noEffects();
    const node = this.#nodes.get(uid);
    if (node?.identity === undefined) return effects;
    if (node.dependents.size > 0) effects.candidates.add(uid);
    this.#clear(node, effects);
    return effects;
  }

  /** The server answered a get of this object with NotFound or with another uid. */
  markAbsent(identity: Identity): Effects {
    const effects = noEffects();
    const node = this.#nodes.get(identity.uid);
    // For an object that a watch has shown, the DELETED event will follow.
    if (node === undefined || (node.identity !== undefined && isSame(node.identity, identity))) return effects;
    rememberAbsent(node, identity);
    for (const dependent of node.dependents) {
      const references = referencesTo(dependent.owners, node.uid);
      const isNamed = references.some((reference) => refersTo(reference, namespaceOf(dependent), identity));
      if (isNamed) effects.candidates.add(dependent.uid);
    }
    return effects;
  }

  /** Uids of nodes without identity or with an owner of unknown state. Newly served kinds may resolve them. */
  *unresolved(): Generator<string> {
    for (const node of this.#nodes.values()) {
      const hasUnknownOwner = node.owners.some((owner) => this.ownerState(node, owner) === 'unknown');
      if (node.identity === undefined || hasUnknownOwner) yield node.uid;
    }
  }

  ownerState(dependent: Node, reference: OwnerReference): OwnerState {
    const owner = this.#nodes.get(reference.uid);
    if (owner === undefined) return 'unknown';
    const namespace = namespaceOf(dependent);
    if (owner.identity !== undefined && refersTo(reference, namespace, owner.identity)) {
      return existingOwnerState(owner.pendingFinalizer);
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

  /** The object appears for the first time. Dependents may have named it wrongly before. */
  #identify(node: MutableNode, identity: Identity, effects: MutableEffects): void {
    node.identity = identity;
    node.absentAs = node.absentAs.filter((absent) => !isSame(absent, identity));
    for (const dependent of node.dependents) {
      for (const reference of referencesTo(dependent.owners, node.uid)) {
        if (refersTo(reference, namespaceOf(dependent), identity)) continue;
        effects.candidates.add(dependent.uid);
        addIfCrossNamespace(effects, dependent, reference, identity);
      }
    }
  }

  #setOwners(node: MutableNode, after: readonly OwnerReference[], effects: MutableEffects): void {
    const before = node.owners;
    if (areSameReferences(before, after)) return;
    node.owners = after.map((reference) => this.#interned(reference, before));
    for (const { uid } of node.owners) link(this.#nodeOf(uid), node);
    const [kept, known] = [new Set(node.owners), new Set(before)];
    for (const reference of before) if (!kept.has(reference)) this.#ownerRemoved(node, reference, effects);
    for (const reference of node.owners) if (!known.has(reference)) this.#ownerAdded(node, reference, effects);
  }

  /** An equal reference that is already held, by this node or by a sibling, to save memory. */
  #interned(reference: OwnerReference, before: readonly OwnerReference[]): OwnerReference {
    const [sibling] = this.#nodes.get(reference.uid)?.dependents ?? [];
    const ofSibling = () => equalReference(sibling?.owners ?? [], reference);
    return equalReference(before, reference) ?? ofSibling() ?? compactReference(reference);
  }

  #ownerRemoved(node: Node, reference: OwnerReference, effects: MutableEffects): void {
    const { uid } = reference;
    const owner = this.#nodes.get(uid);
    if (owner === undefined) return;
    if (owner.pendingFinalizer !== undefined) effects.candidates.add(uid);
    if (referencesTo(node.owners, uid).length === 0) unlink(owner, node);
    this.#dropIfUnreferenced(owner);
  }

  #ownerAdded(node: Node, reference: OwnerReference, effects: MutableEffects): void {
    const owner = this.#nodes.get(reference.uid);
    if (owner?.identity !== undefined) addIfCrossNamespace(effects, node, reference, owner.identity);
    const state = this.ownerState(node, reference);
    const needsLookUp = state === 'unknown' && owner?.identity === undefined;
    if (state !== 'solid') effects.candidates.add(needsLookUp ? reference.uid : node.uid);
  }

  /** Keeps the node only while dependents name it. */
  #clear(node: MutableNode, effects: MutableEffects): void {
    const { owners } = node;
    node.identity = undefined;
    node.owners = [];
    node.beingDeleted = false;
    node.pendingFinalizer = undefined;
    for (const reference of owners) this.#ownerRemoved(node, reference, effects);
    this.#dropIfUnreferenced(node);
  }

  #dropIfUnreferenced({ uid, identity, dependents }: Node): void {
    if (identity === undefined && dependents.size === 0) this.#nodes.delete(uid);
  }
}

function noEffects(): MutableEffects {
  return { candidates: new Set(), crossNamespace: [] };
}

function addIfCrossNamespace(
  effects: MutableEffects,
  dependent: Node,
  reference: OwnerReference,
  owner: Identity,
): void {
  if (dependent.identity === undefined || canOwnIn(dependent.identity.namespace, owner)) return;
  effects.crossNamespace.push({ dependent: dependent.identity, reference });
}

function rememberAbsent(node: MutableNode, absent: Identity): void {
  const others = node.absentAs.filter((each) => !isSame(each, absent));
  node.absentAs = [absent, ...others].slice(0, MAX_ABSENT_IDENTITIES);
}
