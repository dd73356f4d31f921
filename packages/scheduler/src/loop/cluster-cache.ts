import type { LabelSelector } from '@binnacle/apimachinery/labels';
import type { Steps } from '@binnacle/apimachinery/work';
import type { Node } from '@binnacle/client/kinds/core/v1';
import type { PodDisruptionBudget } from '@binnacle/client/kinds/policy/v1';
import { NodeState, type PodFacts, type Snapshot, type StorageView } from '../framework/index.js';
import { PodCounts } from './pod-counts.js';

/** What the snapshot takes from other caches. */
export interface Listers {
  readonly namespaceLabels: Snapshot['namespaceLabels'];
  readonly defaultSelector: (pod: PodFacts) => LabelSelector | undefined;
  readonly budgets: () => readonly PodDisruptionBudget[];
  readonly storage: StorageView;
}

/**
 * The nodes and their pods, kept by changes. It is the snapshot of every cycle, because `Postponed` keeps changes until a
 * cycle has ended. A pod that the scheduler has decided on is assumed to be on its node until the server says otherwise.
 * Upstream: `backend/cache`.
 */
export class ClusterCache implements Snapshot {
  readonly #listers: Listers;
  readonly #nodes = new Map<string, NodeState>();
  /** The pods of each node, also of one that is not known yet. */
  readonly #podsOf = new Map<string, Map<string, PodFacts>>();
  readonly #counts = new PodCounts(this.#podsOf);
  readonly #nodeOf = new Map<string, string>();
  readonly #nominations = new Nominations();
  /** How many pods with a node use a claim, by `namespace/name`. */
  readonly #claimUses = new Map<string, number>();
  readonly #imageCounts = new Map<string, number>();
  #list: readonly NodeState[] | undefined;

  constructor(listers: Listers) {
    this.#listers = listers;
  }

  get nodes(): readonly NodeState[] {
    this.#list ??= [...this.#nodes.values()];
    return this.#list;
  }

  node(name: string): NodeState | undefined {
    return this.#nodes.get(name);
  }

  namespaceLabels(namespace: string): Readonly<Record<string, string>> {
    return this.#listers.namespaceLabels(namespace);
  }

  defaultSelector(pod: PodFacts): LabelSelector | undefined {
    return this.#listers.defaultSelector(pod);
  }

  matchingPods(namespace: string, selector: LabelSelector): Steps<ReadonlyMap<string, number>> {
    return this.#counts.of(namespace, selector);
  }

  get budgets(): readonly PodDisruptionBudget[] {
    return this.#listers.budgets();
  }

  get storage(): StorageView {
    return this.#listers.storage;
  }

  nominated(nodeName: string): readonly PodFacts[] {
    return this.#nominations.on(nodeName);
  }

  isClaimUsed(namespace: string, name: string): boolean {
    return this.#claimUses.has(`${namespace}/${name}`);
  }

  nodesWithImage(name: string): number {
    return this.#imageCounts.get(name) ?? 0;
  }

  /** Adds a node or takes its new version. */
  setNode(node: Node): void {
    const { name = '' } = node.metadata;
    this.#countImages(this.#nodes.get(name), -1);
    const state = new NodeState(node, this.#podsOf.get(name)?.values());
    this.#countImages(state, 1);
    this.#nodes.set(name, state);
    this.#list = undefined;
  }

  deleteNode(name: string): void {
    this.#countImages(this.#nodes.get(name), -1);
    this.#nodes.delete(name);
    this.#list = undefined;
  }

  /** Adds a pod to a node, or takes its new version. */
  setPod(pod: PodFacts, nodeName: string): void {
    if (this.#nodeOf.get(pod.uid) !== nodeName) this.deletePod(pod.uid);
    const pods = this.#podsOf.get(nodeName) ?? new Map<string, PodFacts>();
    const before = pods.get(pod.uid);
    if (before === undefined) this.#countClaims(pod, 1);
    else this.#counts.change(before, nodeName, -1);
    pods.set(pod.uid, pod);
    this.#counts.change(pod, nodeName, 1);
    this.#podsOf.set(nodeName, pods);
    this.#nodeOf.set(pod.uid, nodeName);
    this.#nodes.get(nodeName)?.add(pod);
  }

  /** Whether the pod was on a node. */
  deletePod(uid: string): boolean {
    const nodeName = this.#nodeOf.get(uid);
    if (nodeName === undefined) return false;
    this.#nodeOf.delete(uid);
    const pods = this.#podsOf.get(nodeName);
    const pod = pods?.get(uid);
    if (pod !== undefined) {
      this.#countClaims(pod, -1);
      this.#counts.change(pod, nodeName, -1);
    }
    pods?.delete(uid);
    if (pods?.size === 0) this.#podsOf.delete(nodeName);
    this.#nodes.get(nodeName)?.remove(uid);
    return true;
  }

  /** Keeps room on the node for a pod. An empty name ends that. */
  nominate(pod: PodFacts, node: string): void {
    this.#nominations.delete(pod.uid);
    if (node !== '') this.#nominations.add(pod, node);
  }

  /** Whether room was kept for the pod. */
  endNomination(uid: string): boolean {
    return this.#nominations.delete(uid);
  }

  /** The volumes of a pod never change. */
  #countClaims({ namespace, spec }: PodFacts, change: 1 | -1): void {
    for (const { persistentVolumeClaim: claim } of spec.volumes ?? []) {
      if (claim === undefined) continue;
      const key = `${namespace}/${claim.claimName}`;
      const uses = (this.#claimUses.get(key) ?? 0) + change;
      if (uses === 0) this.#claimUses.delete(key);
      else this.#claimUses.set(key, uses);
    }
  }

  #countImages(node: NodeState | undefined, change: 1 | -1): void {
    for (const name of node?.images.keys() ?? []) {
      const count = (this.#imageCounts.get(name) ?? 0) + change;
      if (count === 0) this.#imageCounts.delete(name);
      else this.#imageCounts.set(name, count);
    }
  }
}

/** Pods that wait for a node on which others are about to end. */
class Nominations {
  readonly #nodeOf = new Map<string, string>();
  readonly #podsOf = new Map<string, Map<string, PodFacts>>();

  on(node: string): readonly PodFacts[] {
    const pods = this.#podsOf.get(node);
    return pods === undefined ? [] : [...pods.values()];
  }

  add(pod: PodFacts, node: string): void {
    this.#nodeOf.set(pod.uid, node);
    this.#podsOf.set(node, (this.#podsOf.get(node) ?? new Map<string, PodFacts>()).set(pod.uid, pod));
  }

  /** Whether the pod was nominated. */
  delete(uid: string): boolean {
    const node = this.#nodeOf.get(uid);
    if (node === undefined) return false;
    this.#nodeOf.delete(uid);
    const pods = this.#podsOf.get(node);
    pods?.delete(uid);
    if (pods?.size === 0) this.#podsOf.delete(node);
    return true;
  }
}
