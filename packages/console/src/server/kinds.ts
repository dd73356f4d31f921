import type { ApiResource, ApiSurface } from '@binnacle/client/discovery';
import type { KindInfo } from '../model/index.js';

/** The same events as in the core group, and readings that no one stores. */
const LEFT_OUT: readonly string[] = ['events.k8s.io', 'metrics.k8s.io'];

/** The kinds that can be listed and watched, each in the version that its group prefers. */
export function watchableKinds({ groups }: ApiSurface): KindInfo[] {
  const found = new Map<string, KindInfo>();
  for (const group of groups) {
    if (LEFT_OUT.includes(group.name)) continue;
    for (const { resources } of group.versions) {
      for (const each of resources) {
        const id = `${each.resource.resource}.${group.name}`;
        if (!found.has(id) && isWatchable(each)) found.set(id, infoOf(each));
      }
    }
  }
  return [...found.values()];
}

function isWatchable({ verbs }: ApiResource): boolean {
  return verbs.includes('list') && verbs.includes('watch');
}

function infoOf({ resource, kind, namespaced, shortNames }: ApiResource): KindInfo {
  return { ...resource, kind: kind.kind, namespaced, shortNames };
}
