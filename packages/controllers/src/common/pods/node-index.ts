import type { Indexer } from '@binnacle/client/cache';
import type { Pod } from '@binnacle/client/kinds/core/v1';

const BY_NODE = 'node';

function byNode({ spec }: Pod): string[] {
  const { nodeName = '' } = spec ?? {};
  return nodeName === '' ? [] : [nodeName];
}

/** For `reads` of a controller: pods by the node that they are on. */
export const nodeIndexes = { [BY_NODE]: byNode };

/** The pods that are bound to a node. The indexer has {@link nodeIndexes}. */
export function podsOnNode(pods: Pick<Indexer<Pod>, 'byIndex'>, node: string): Pod[] {
  return pods.byIndex(BY_NODE, node);
}

/** The nodes that any pod is bound to. The indexer has {@link nodeIndexes}. */
export function nodesWithPods(pods: Pick<Indexer<Pod>, 'indexValues'>): string[] {
  return pods.indexValues(BY_NODE);
}
