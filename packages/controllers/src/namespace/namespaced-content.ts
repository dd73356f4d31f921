import { formatGroupVersion } from '@binnacle/apimachinery/meta';
import { compareUtf8 } from '@binnacle/apimachinery/json';
import type { ApiGroup, ApiResource, ApiSurface } from '@binnacle/client/discovery';

/** What a namespace can hold, as far as the server can say. */
export interface NamespacedContent {
  readonly resources: readonly ApiResource[];
  /** What the server could not say. */
  readonly failure: Error | undefined;
}

/** Every resource whose objects are in namespaces and can be deleted, once each: in the first version of its group that has it. */
export function namespacedContent({ groups, failures }: ApiSurface): NamespacedContent {
  const isSilent = (group: string, version: string) =>
    failures.some((failure) => failure.group === group && failure.version === version);
  const resources = groups
    .flatMap((group) => resourcesOf(group, (version) => !isSilent(group.name, version)))
    .filter(({ namespaced, verbs }) => namespaced && verbs.includes('delete'));
  return { resources, failure: discoveryFailure({ groups, failures }) };
}

function resourcesOf({ versions }: ApiGroup, isKnown: (version: string) => boolean): ApiResource[] {
  const byName = new Map<string, ApiResource>();
  for (const { version, resources } of versions) {
    if (!isKnown(version)) continue;
    for (const each of resources) if (!byName.has(each.resource.resource)) byName.set(each.resource.resource, each);
  }
  return [...byName.values()];
}

/** Upstream: client-go `discovery.ErrGroupDiscoveryFailed`. */
function discoveryFailure({ groups, failures }: ApiSurface): Error | undefined {
  // A server that hides everything must not look like one in which nothing is left.
  if (groups.length === 0) return new Error('the server says that it serves nothing at all');
  if (failures.length === 0) return undefined;
  const messages = failures
    .map((failure) => `${formatGroupVersion(failure)}: ${failure.error.message}`)
    .toSorted(compareUtf8);
  return new Error(
    `Discovery failed for some groups, ${failures.length} failing: unable to retrieve the complete list of server APIs: ${messages.join(', ')}`,
  );
}
