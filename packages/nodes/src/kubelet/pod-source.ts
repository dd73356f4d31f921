import type { Pod } from '@binnacle/client/kinds/core/v1';

/** The pods of the nodes that a kubelet API serves. */
export interface PodSource {
  find(namespace: string, name: string): Pod | undefined;
  /** All pods that have this node. */
  ofNode(node: string): readonly Pod[];
}

/** Only the pods of these nodes, because a right to one node does not include the pods of other nodes. */
export function podsOfNodes(pods: PodSource, nodes: readonly string[]): PodSource {
  return {
    find: (namespace, name) => {
      const pod = pods.find(namespace, name);
      return nodes.includes(pod?.spec?.nodeName ?? '') ? pod : undefined;
    },
    ofNode: (node) => (nodes.includes(node) ? pods.ofNode(node) : []),
  };
}
