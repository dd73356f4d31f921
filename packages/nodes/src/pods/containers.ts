import type { Container, Pod } from '@binnacle/client/kinds/core/v1';

/** The containers of a pod of all sorts: init containers first, ephemeral ones last. */
export function containersOf({ spec }: Pick<Pod, 'spec'>): readonly Container[] {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec ?? {};
  return [...initContainers, ...containers, ...ephemeralContainers];
}

/** A container of any sort, by its name. */
export function containerOf(pod: Pick<Pod, 'spec'>, name: string): Container | undefined {
  return containersOf(pod).find((container) => container.name === name);
}
