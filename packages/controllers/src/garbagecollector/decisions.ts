import type { OwnerReference } from '@binnacle/client/typed';
import { FINALIZERS } from './deletion.js';
import type { DependencyGraph } from './graph.js';
import { blocks, canOwnIn, type Identity, meantBy } from './identity.js';
import { namespaceOf, type Node } from './node.js';

/** What there is to do about a node, as far as the graph knows. Whether it is done, the server's answers decide. */
export type Task =
  | { readonly type: 'rest' }
  /** Ask whether there is what others speak of: whom they may mean, with the namespace that each speaks from. */
  | { readonly type: 'find'; readonly meant: readonly Identity[] }
  /** Nothing that its deletion waits for is left: take the finalizer away. */
  | { readonly type: 'finish'; readonly identity: Identity; readonly finalizer: string }
  /** Look at its owners: perhaps none is left. */
  | { readonly type: 'examine'; readonly identity: Identity; readonly node: Node };

const REST: Task = { type: 'rest' };

export function taskFor(graph: DependencyGraph, uid: string): Task {
  const node = graph.node(uid);
  if (node === undefined) return REST;
  const { identity, waitsFor } = node;
  if (identity === undefined) return { type: 'find', meant: whoIsMeant(graph, node) };
  if (waitsFor !== undefined && !isHeld(graph, node, identity)) {
    return { type: 'finish', identity, finalizer: FINALIZERS[waitsFor] };
  }
  const standings = node.owners.map((reference) => graph.standing(node, reference));
  const matters = node.beingDeleted ? standings.includes('orphaning') : standings.some((each) => each !== 'solid');
  return matters ? { type: 'examine', identity, node } : REST;
}

/** Whether there is a dependent that it waits for. Those in a circle do not wait for each other. */
function isHeld(graph: DependencyGraph, node: Node, identity: Identity): boolean {
  const holds = (reference: OwnerReference) =>
    reference.uid === identity.uid && (node.waitsFor === 'orphans' || blocks(reference));
  const circle = heldBy(graph, node);
  return [...node.dependents].some(
    (dependent) => canOwnIn(namespaceOf(dependent), identity) && dependent.owners.some(holds) && !circle.has(dependent),
  );
}

/** Itself, and all that wait for it, or for what waits for it. */
function heldBy(graph: DependencyGraph, node: Node): ReadonlySet<Node> {
  const held = new Set([node]);
  for (const each of held) {
    for (const reference of each.owners) {
      const owner = graph.node(reference.uid);
      if (blocks(reference) && owner?.waitsFor === 'dependents') held.add(owner);
    }
  }
  return held;
}

/** Without those of whom it is known that they are absent. */
function whoIsMeant(graph: DependencyGraph, { uid, dependents }: Node): Identity[] {
  const meant = new Map<string, Identity>();
  for (const dependent of dependents) {
    for (const reference of dependent.owners) {
      if (reference.uid !== uid || graph.standing(dependent, reference) === 'absent') continue;
      const identity = meantBy(reference, namespaceOf(dependent));
      meant.set(JSON.stringify(identity), identity);
    }
  }
  return [...meant.values()];
}
