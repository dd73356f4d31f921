import { asJson } from '@binnacle/apimachinery/meta';
import { StatusError } from '@binnacle/apimachinery/status';
import { forEachConcurrently } from '@binnacle/apimachinery/work';
import type { ApiResource, ApiSurface, DiscoveryClient } from '@binnacle/client/discovery';
import { DynamicClient } from '@binnacle/client/dynamic';
import type { Transport } from '@binnacle/client/transport';
import { type Item, itemOf, kindText } from './item.js';
import { isReadAtAll } from './left-out.js';

/** How many resources are listed at a time. */
const LISTS_AT_ONCE = 4;

export interface ClusterSource {
  readonly transport: Transport;
  readonly discovery: DiscoveryClient;
  readonly withSecrets: boolean;
  /** Only the objects of this namespace. */
  readonly namespace?: string | undefined;
  /** The revision to read a resource at. Default: the newest of its own list. */
  readonly revisionOf?: ((resource: ApiResource) => Promise<string>) | undefined;
  readonly progress: (step: string, done: number, total: number) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface ClusterItems {
  readonly items: readonly Item[];
  /** One sentence for each resource that could not be read. */
  readonly unread: readonly string[];
}

/** The objects of a server that another one could have, by discovery and paged lists. */
export async function itemsOfCluster(source: ClusterSource): Promise<ClusterItems> {
  const { transport, discovery, withSecrets, namespace, revisionOf, progress, signal } = source;
  const surface = await discovery.surface(signal === undefined ? {} : { signal });
  const resources = resourcesToRead(surface, withSecrets).filter((each) => namespace === undefined || each.namespaced);
  const unread = surface.failures.map(({ group, version, error }) => `${group}/${version}: ${error.message}`);
  const found = new Map<ApiResource, Item[]>();
  const client = new DynamicClient(transport);
  let done = 0;
  await forEachConcurrently(resources, LISTS_AT_ONCE, async (resource) => {
    const lists = client.resource(resource.resource);
    const items: Item[] = [];
    const { group, version, kind } = resource.kind;
    try {
      const at = await revisionOf?.(resource);
      const exact = at === undefined ? {} : { resourceVersion: at, resourceVersionMatch: 'Exact' as const };
      const scoped = namespace === undefined ? lists : lists.namespace(namespace);
      for await (const object of scoped.items({ ...exact, signal })) {
        // The items of built-in kinds leave out what the list says.
        items.push(itemOf({ apiVersion: group === '' ? version : `${group}/${version}`, kind, ...asJson(object) }));
      }
    } catch (error) {
      if (!(error instanceof StatusError && [403, 404, 405].includes(error.code))) throw error;
      unread.push(`${kindText(resource.kind)}: ${error.message}`);
    }
    found.set(resource, items);
    progress('reading', ++done, resources.length);
  });
  return { items: resources.flatMap((each) => found.get(each) ?? []), unread };
}

/** Each resource in its preferred version, if its objects can be listed and created. */
export function resourcesToRead({ groups }: Pick<ApiSurface, 'groups'>, withSecrets: boolean): ApiResource[] {
  return groups.flatMap(({ versions }) => {
    const byName = new Map<string, ApiResource>();
    for (const each of versions.flatMap(({ resources }) => resources)) {
      if (!byName.has(each.resource.resource)) byName.set(each.resource.resource, each);
    }
    return [...byName.values()].filter(
      ({ verbs, kind }) => verbs.includes('list') && verbs.includes('create') && isReadAtAll(kind, withSecrets),
    );
  });
}
