import type { ObjectMeta, OwnerReference } from '@binnacle/client/typed';
import type { DependencyGraph } from './graph.js';
import { blocks, canOwnIn, type Identity, referencedIdentity } from './identity.js';
import {
  type CollectorFinalizer,
  hasFinalizer,
  isBeingDeleted,
  namespaceOf,
  type Node,
  type OwnerState,
} from './node.js';
import { referencesTo } from './references.js';

/** The next step for a candidate, as far as the graph knows. The server's answers decide whether it is carried out. */
export type Task =
  | { readonly type: 'none' }
  /** Ask whether this owner exists, under each identity that dependents name. */
  | { readonly type: 'lookUp'; readonly identities: readonly Identity[] }
  /** Remove the finalizer: no dependent still blocks the deletion. */
  | { readonly type: 'removeFinalizer'; readonly identity: Identity; readonly finalizer: CollectorFinalizer }
  /** Ask whether any of its owners exists. */
  | { readonly type: 'examine'; readonly identity: Identity; readonly node: Node };

const NONE: Task = { type: 'none' };

export function taskFor(graph: DependencyGraph, uid: string): Task {
  const node = graph.node(uid);
  if (node === undefined) return NONE;
  const { identity, pendingFinalizer } = node;
  if (identity === undefined) return { type: 'lookUp', identities: referencedIdentities(graph, node) };
  if (pendingFinalizer !== undefined && !isBlocked(graph, node, identity)) {
    return { type: 'removeFinalizer', identity, finalizer: pendingFinalizer };
  }
  const needsExamination = node.owners.some((reference) => {
    const state = graph.ownerState(node, reference);
    return node.beingDeleted ? state === 'orphaning' : state !== 'solid';
  });
  return needsExamination ? { type: 'examine', identity, node } : NONE;
}

/** Whether the object's deletion waits for a dependent. Objects of one cycle do not wait for each other. */
function isBlocked(graph: DependencyGraph, node: Node, identity: Identity): boolean {
  const isBlocking = (reference: OwnerReference) => node.pendingFinalizer === 'orphan' || blocks(reference);
  let cycle: ReadonlySet<Node> | undefined;
  for (const dependent of node.dependents) {
    if (!canOwnIn(namespaceOf(dependent), identity) || !referencesTo(dependent.owners, node.uid).some(isBlocking))
      continue;
    // Most dependents do not wait for their own, so they cannot be in a cycle, whose search visits many nodes.
    if (dependent !== node && dependent.pendingFinalizer !== 'foregroundDeletion') return true;
    cycle ??= waitingFor(graph, node);
    if (!cycle.has(dependent)) return true;
  }
  return false;
}

/** The node and all owners whose foreground deletion waits for it, directly or not. */
function waitingFor(graph: DependencyGraph, node: Node): ReadonlySet<Node> {
  const waiting = new Set([node]);
  for (const each of waiting) {
    for (const reference of each.owners) {
      const owner = graph.node(reference.uid);
      if (blocks(reference) && owner?.pendingFinalizer === 'foregroundDeletion') waiting.add(owner);
    }
  }
  return waiting;
}

/** The identities under which dependents name this node, without those known to be absent. */
function referencedIdentities(graph: DependencyGraph, { uid, dependents }: Node): Identity[] {
  const identities = new Map<string, Identity>();
  for (const dependent of dependents) {
    for (const reference of referencesTo(dependent.owners, uid)) {
      if (graph.ownerState(dependent, reference) === 'absent') continue;
      const identity = referencedIdentity(reference, namespaceOf(dependent));
      identities.set(JSON.stringify(identity), identity);
    }
  }
  return [...identities.values()];
}

/** The owner references of an object, by the state of the owner that the server reports. */
export type Owners = Readonly<Record<Exclude<OwnerState, 'unknown'>, readonly OwnerReference[]>>;

export type Propagation = 'Orphan' | 'Foreground' | 'Background';

export type Decision =
  | { readonly type: 'keep' }
  /** Keep the object and remove these owner references. */
  | { readonly type: 'detach'; readonly from: readonly OwnerReference[] }
  | { readonly type: 'delete'; readonly propagation: Propagation };

/** `latest` is the object's metadata on the server, `node` has its dependents. The README has the table. */
export function decide(latest: ObjectMeta, owners: Owners, node: Node): Decision {
  const { solid, absent, deletingDependents, orphaning } = owners;
  if (isBeingDeleted(latest)) return detach(orphaning);
  if (solid.length > 0 || orphaning.length > 0) return detach([...absent, ...deletingDependents, ...orphaning]);
  if (absent.length === 0 && deletingDependents.length === 0) return { type: 'keep' };
  // The owner in foreground deletion must outlive this object's dependents too.
  if (deletingDependents.length > 0 && node.dependents.size > 0) return { type: 'delete', propagation: 'Foreground' };
  return { type: 'delete', propagation: propagationOf(latest) };
}

function detach(from: readonly OwnerReference[]): Decision {
  return from.length === 0 ? { type: 'keep' } : { type: 'detach', from };
}

/** The propagation that the object's own finalizers ask for. */
function propagationOf(latest: ObjectMeta): Propagation {
  if (hasFinalizer(latest, 'orphan')) return 'Orphan';
  return hasFinalizer(latest, 'foregroundDeletion') ? 'Foreground' : 'Background';
}
