import type { Container, Pod } from '@binnacle/client/kinds/core/v1';

/** The pods of the nodes that a kubelet API serves. */
export interface PodSource {
  find(namespace: string, name: string): Pod | undefined;
  /** All pods that have this node. */
  ofNode(node: string): readonly Pod[];
}

/** A container of any sort, by its name. */
export function containerOf({ spec }: Pod, name: string): Container | undefined {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec ?? {};
  return [initContainers, containers, ephemeralContainers].flat().find((container) => container.name === name);
}
