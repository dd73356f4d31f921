import type { ObjectMeta, OwnerReference } from '@binnacle/client/typed';
import { decide, type Decision, type Owners, type Task, taskFor } from './decisions.js';
import type { DependencyGraph, Effects } from './graph.js';
import { type Identity, isSame, referencedIdentity } from './identity.js';
import type { LiveObjects, RewriteOwners } from './live-objects.js';
import { existingOwnerState, type Node, pendingFinalizerOf } from './node.js';
import { equalReference } from './references.js';

/** Takes candidates from the graph, asks the server about them, and acts on its answers only. */
export class CandidateProcessor {
  readonly #graph: DependencyGraph;
  readonly #live: LiveObjects;
  readonly #onEffects: (effects: Effects) => void;

  /** `onEffects` receives the effects that the server's answers have on the graph. */
  constructor(graph: DependencyGraph, live: LiveObjects, onEffects: (effects: Effects) => void) {
    this.#graph = graph;
    this.#live = live;
    this.#onEffects = onEffects;
  }

  /**
   * Carries out the task of a node. Resolves to true if the node must be processed again later. Rejects when a request fails, with an
   * `UnservedKindError` if a retry is pointless until the server serves other kinds.
   */
  async process(uid: string, signal: AbortSignal): Promise<boolean> {
    const task = taskFor(this.#graph, uid);
    switch (task.type) {
      case 'none':
        return false;
      case 'lookUp':
        return (await this.#lookUp(task.identities, signal)) && this.#isUnobserved(uid);
      case 'removeFinalizer':
        await this.#removeFinalizer(uid, task, signal);
        return false;
      case 'examine':
        await this.#examine(task, signal);
        return false;
    }
  }

  /** Checks the task again after a get: dependents created just before the owner's deletion may be observed just after it. */
  async #removeFinalizer(
    uid: string,
    { identity, finalizer }: Task & { type: 'removeFinalizer' },
    signal: AbortSignal,
  ): Promise<void> {
    await this.#live.get(identity, signal);
    const isStillUnblocked = taskFor(this.#graph, uid).type === 'removeFinalizer';
    if (isStillUnblocked) await this.#live.removeFinalizer(identity, finalizer, signal);
  }

  /** Whether any of the identities exists. Asks for all of them before it rejects. */
  async #lookUp(identities: readonly Identity[], signal: AbortSignal): Promise<boolean> {
    let exists = false;
    const failures: unknown[] = [];
    for (const each of identities) {
      try {
        const identity = this.#live.locate(each);
        if (identity !== undefined && (await this.#exists(identity, signal))) exists = true;
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return exists;
  }

  async #exists(identity: Identity, signal: AbortSignal): Promise<boolean> {
    const { absentAs = [] } = this.#graph.node(identity.uid) ?? {};
    if (absentAs.some((absent) => isSame(absent, identity))) return false;
    if ((await this.#live.get(identity, signal)) !== undefined) return true;
    this.#onEffects(this.#graph.markAbsent(identity));
    return false;
  }

  #isUnobserved(uid: string): boolean {
    const node = this.#graph.node(uid);
    return node !== undefined && node.identity === undefined;
  }

  async #examine({ identity, node }: Task & { type: 'examine' }, signal: AbortSignal): Promise<void> {
    const latest = await this.#live.get(identity, signal);
    // The DELETED event of the watch will follow.
    if (latest === undefined) return;
    const owners = await this.#ownersOf(identity, node, latest.ownerReferences ?? [], signal);
    if (owners !== undefined) await this.#carryOut(decide(latest, owners, node), identity, latest, signal);
  }

  async #carryOut(decision: Decision, identity: Identity, latest: ObjectMeta, signal: AbortSignal): Promise<void> {
    switch (decision.type) {
      case 'keep':
        return;
      case 'detach':
        return this.#live.rewriteOwners(identity, without(decision.from), signal);
      case 'delete':
        return this.#live.delete(identity, latest, decision.propagation, signal);
    }
  }

  /** The owners by their state on the server. Undefined if a cluster-scoped object names a namespaced owner: then nothing is decided. */
  async #ownersOf(
    identity: Identity,
    node: Node,
    references: readonly OwnerReference[],
    signal: AbortSignal,
  ): Promise<Owners | undefined> {
    const owners: Record<keyof Owners, OwnerReference[]> = {
      solid: [],
      absent: [],
      deletingDependents: [],
      orphaning: [],
    };
    for (const reference of references) {
      if (this.#graph.ownerState(node, reference) === 'absent') {
        owners.absent.push(reference);
        continue;
      }
      const named = this.#live.locate(referencedIdentity(reference, identity.namespace));
      if (named === undefined) return undefined;
      const owner = await this.#live.get(named, signal);
      if (owner === undefined) this.#onEffects(this.#graph.markAbsent(named));
      owners[owner === undefined ? 'absent' : existingOwnerState(pendingFinalizerOf(owner))].push(reference);
    }
    return owners;
  }
}

function without(removed: readonly OwnerReference[]): RewriteOwners {
  return (owners) => owners.filter((owner) => equalReference(removed, owner) === undefined);
}
