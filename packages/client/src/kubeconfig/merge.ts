import type { Kubeconfig } from './document.js';

/**
 * Merges files. The first entry of each name counts, without fields of later ones. So does the first current context.
 */
export function mergeKubeconfigs(kubeconfigs: readonly Kubeconfig[]): Kubeconfig {
  return {
    origins: kubeconfigs.flatMap(({ origins }) => origins),
    clusters: firstOfEach(kubeconfigs.map(({ clusters }) => clusters)),
    users: firstOfEach(kubeconfigs.map(({ users }) => users)),
    contexts: firstOfEach(kubeconfigs.map(({ contexts }) => contexts)),
    currentContext: kubeconfigs.find(({ currentContext }) => currentContext !== undefined)?.currentContext,
  };
}

function firstOfEach<T>(maps: readonly ReadonlyMap<string, T>[]): Map<string, T> {
  const merged = new Map<string, T>();
  for (const map of maps) for (const [name, entry] of map) if (!merged.has(name)) merged.set(name, entry);
  return merged;
}
