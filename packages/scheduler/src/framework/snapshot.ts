import type { LabelSelector } from '@binnacle/apimachinery/labels';
import type { Steps } from '@binnacle/apimachinery/work';
import type { PodDisruptionBudget } from '@binnacle/client/kinds/policy/v1';
import type { NamespaceLabels } from './affinity-terms.js';
import type { NodeState } from './node-state.js';
import type { PodFacts } from './pod-facts.js';
import type { StorageView } from './storage-view.js';

/** The cluster as one attempt sees it. It does not change during a scheduling cycle. */
export interface Snapshot {
  readonly nodes: readonly NodeState[];
  node(name: string): NodeState | undefined;
  readonly namespaceLabels: NamespaceLabels;
  /** Selects the pods of the services and workloads that the pod belongs to; undefined if it belongs to none. */
  defaultSelector(pod: PodFacts): LabelSelector | undefined;
  /**
   * How many pods of a namespace a selector matches on each node, by its name, except those that are terminating. Nodes without any are
   * missing. Cheap for a selector that an earlier attempt has asked for.
   */
  matchingPods(namespace: string, selector: LabelSelector): Steps<ReadonlyMap<string, number>>;
  /** Pods that wait for a node on which others are about to end. */
  nominated(nodeName: string): readonly PodFacts[];
  readonly budgets: readonly PodDisruptionBudget[];
  readonly storage: StorageView;
  /** The number of nodes that have the image. */
  nodesWithImage(name: string): number;
}
