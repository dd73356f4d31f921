import type { Indexer, Lister } from '@binnacle/client/cache';
import { controllerOf, type Predicate, type ReconcileRequest } from '@binnacle/client/controller';
import { deepEqual } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import type { DaemonSet } from '@binnacle/client/kinds/apps/v1';
import type { Node, Pod } from '@binnacle/client/kinds/core/v1';
import { podsOnNode } from '../common/index.js';
import { fitOf } from './node-fit.js';

export interface NodeSources {
  readonly nodes: () => Lister<Node>;
  readonly sets: () => Lister<DaemonSet>;
  readonly pods: () => Indexer<Pod>;
}

/** Passes new nodes, and nodes with other labels or taints. A deleted node changes a set when its pods are deleted. */
export const mayMovePods: Predicate<Node> = (change) => {
  if (change.type !== 'update') return change.type === 'create';
  const { before, object: after } = change;
  return (
    !deepEqual(asJson(before.metadata.labels ?? {}), asJson(after.metadata.labels ?? {})) ||
    !deepEqual(asJson(before.spec?.taints ?? []), asJson(after.spec?.taints ?? []))
  );
};

/** The sets that gain or lose the node as it is now, and those that may have counted a pod on it as one too many. */
export function setsOfNode({ nodes, sets, pods }: NodeSources): (node: Node) => ReconcileRequest[] {
  return ({ metadata: { name = '' } }) => {
    const node = nodes().get(name);
    if (node === undefined) return [];
    const present = new Set(podsOnNode(pods(), name).map((pod) => controllerOf(pod)?.uid));
    return sets()
      .list()
      .filter((set) => {
        const { shouldRun, mayStay } = fitOf(set, node);
        if (!present.has(set.metadata.uid)) return shouldRun;
        return !mayStay || (set.status?.numberMisscheduled ?? 0) > 0;
      })
      .map(({ metadata }) => ({ namespace: metadata.namespace, name: metadata.name ?? '' }));
  };
}
