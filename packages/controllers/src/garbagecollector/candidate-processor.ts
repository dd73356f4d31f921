import type { ObjectMeta, OwnerReference } from '@binnacle/client/typed';
import type { Consequences } from './consequences.js';
import type { DependencyGraph } from './graph.js';
import { standingOf } from './standing.js';
import { waitingOf } from './deletion.js';
import { type Identity, isSame, isSameReference, meantBy } from './identity.js';
import type { LiveObjects, RewriteOwners } from './live-objects.js';
import type { Node } from './node.js';
import { type Task, taskFor } from './task.js';
import { judge, type Owners, type Verdict } from './verdict.js';

/** The graph suspects; the server is asked; then something is done, or not. */
export class Collector {
  readonly #graph: DependencyGraph;
  readonly #live: LiveObjects;
  readonly #follow: (consequences: Consequences) => void;

  /** `follow` is told of what comes of what the server says. */
  constructor(graph: DependencyGraph, live: LiveObjects, follow: (consequences: Consequences) => void) {
    this.#graph = graph;
    this.#live = live;
    this.#follow = follow;
  }

  /**
   * Does what there is to do about a node. True: look at it again, later. Rejects when it could not be done, with an `UnservedKindError` when
   * there is no point in trying before the server serves other kinds.
   */
  async look(uid: string, signal: AbortSignal): Promise<boolean> {
    const task = taskFor(this.#graph, uid);
    switch (task.type) {
      case 'rest':
        return false;
      case 'find':
        return (await this.#find(task.meant, signal)) && this.#isUnseen(uid);
      case 'finish':
        await this.#finish(uid, task, signal);
        return false;
      case 'examine':
        return this.#examine(task, signal);
    }
  }

  /** Dependents that were made just before their owner was deleted may be seen just after that: hence the second look. */
  async #finish(uid: string, { identity, finalizer }: Task & { type: 'finish' }, signal: AbortSignal): Promise<void> {
    await this.#live.get(identity, signal);
    if (taskFor(this.#graph, uid).type === 'finish') await this.#live.removeFinalizer(identity, finalizer, signal);
  }

  /** Whether any of them is there. */
  async #find(meant: readonly Identity[], signal: AbortSignal): Promise<boolean> {
    let isThere = false;
    const failures: unknown[] = [];
    for (const each of meant) {
      try {
        const identity = this.#live.locate(each);
        if (identity !== undefined && (await this.#isThere(identity, signal))) isThere = true;
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return isThere;
  }

  async #isThere(identity: Identity, signal: AbortSignal): Promise<boolean> {
    const { absentAs = [] } = this.#graph.node(identity.uid) ?? {};
    if (absentAs.some((absent) => isSame(absent, identity))) return false;
    if ((await this.#live.get(identity, signal)) !== undefined) return true;
    this.#follow(this.#graph.markAbsent(identity));
    return false;
  }

  #isUnseen(uid: string): boolean {
    const node = this.#graph.node(uid);
    return node !== undefined && node.identity === undefined;
  }

  async #examine({ identity, node }: Task & { type: 'examine' }, signal: AbortSignal): Promise<boolean> {
    const latest = await this.#live.get(identity, signal);
    // What watches it will say so.
    if (latest === undefined) return false;
    const owners = await this.#ask(identity, node, latest.ownerReferences ?? [], signal);
    if (owners === undefined) return false;
    await this.#carryOut(judge(latest, owners, node), identity, latest, signal);
    return false;
  }

  async #carryOut(verdict: Verdict, identity: Identity, latest: ObjectMeta, signal: AbortSignal): Promise<void> {
    switch (verdict.type) {
      case 'keep':
        return;
      case 'detach':
        return this.#live.rewriteOwners(identity, without(verdict.from), signal);
      case 'delete':
        return this.#live.delete(identity, latest, verdict.propagation, signal);
    }
  }

  /** What the server says of the owners. Undefined: the object refers to what cannot own it, and nothing follows from that. */
  async #ask(
    identity: Identity,
    node: Node,
    references: readonly OwnerReference[],
    signal: AbortSignal,
  ): Promise<Owners | undefined> {
    const owners = { solid: [], absent: [], waiting: [], orphaning: [] } as Record<keyof Owners, OwnerReference[]>;
    for (const reference of references) {
      if (this.#graph.standing(node, reference) === 'absent') {
        owners.absent.push(reference);
        continue;
      }
      const meant = this.#live.locate(meantBy(reference, identity.namespace));
      if (meant === undefined) return undefined;
      const owner = await this.#live.get(meant, signal);
      if (owner === undefined) this.#follow(this.#graph.markAbsent(meant));
      owners[owner === undefined ? 'absent' : standingOf(waitingOf(owner))].push(reference);
    }
    return owners;
  }
}

function without(lost: readonly OwnerReference[]): RewriteOwners {
  return (owners) => owners.filter((owner) => !lost.some((each) => isSameReference(each, owner)));
}
