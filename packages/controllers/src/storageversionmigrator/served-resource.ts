import type { GroupResource, GroupVersionResource } from '@binnacle/apimachinery/meta';
import type { ApiResource, ApiSurface, DiscoveryClient } from '@binnacle/client/discovery';

const NEEDED_VERBS = ['update', 'patch', 'list'];

/** The resource in the version that the server prefers. Discovery runs again for one that it did not show before. */
export async function servedResource(
  resource: GroupResource,
  discovery: DiscoveryClient,
  signal: AbortSignal,
): Promise<ApiResource | undefined> {
  const known = find(resource, await discovery.surface({ signal }));
  if (known !== undefined) return known;
  discovery.invalidate();
  return find(resource, await discovery.surface({ signal }));
}

/** Why its objects cannot be rewritten; undefined if they can. Upstream's text. */
export function obstacleOf({ resource, verbs }: ApiResource): string | undefined {
  if (NEEDED_VERBS.every((verb) => verbs.includes(verb))) return undefined;
  return `resource "${textOf(resource)}" does not support discovery operations: [${NEEDED_VERBS.join(' ')}]`;
}

/** As Go prints a `GroupVersionResource`. */
export function textOf({ group, version, resource }: GroupVersionResource): string {
  return `${group}/${version}, Resource=${resource}`;
}

function find({ group, resource }: GroupResource, { groups }: ApiSurface): ApiResource | undefined {
  return groups
    .filter(({ name }) => name === group)
    .flatMap(({ versions }) => versions.flatMap(({ resources }) => resources))
    .find((each) => each.resource.resource === resource);
}
