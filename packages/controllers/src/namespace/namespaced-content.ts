import { formatGroupVersion } from '@binnacle/apimachinery/meta';
import { compareUtf8 } from '@binnacle/apimachinery/json';
import type { ApiGroup, ApiResource, ApiSurface } from '@binnacle/client/discovery';

/** The resources that a namespace may contain, as far as discovery shows them. */
export interface NamespacedContent {
  readonly resources: readonly ApiResource[];
  /** Set if discovery is incomplete. */
  readonly failure: Error | undefined;
}

/** Each namespaced resource with the verb `delete`, once: in the first version of its group that has it. */
export function namespacedContent({ groups, failures }: ApiSurface): NamespacedContent {
  const hasFailed = (group: string, version: string) =>
    failures.some((failure) => failure.group === group && failure.version === version);
  const resources = groups
    .flatMap((group) => resourcesOf(group, (version) => !hasFailed(group.name, version)))
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
  // Empty discovery is a failure of the server, not proof of an empty namespace.
  if (groups.length === 0) return new Error('discovery shows no API groups');
  if (failures.length === 0) return undefined;
  const messages = failures
    .map((failure) => `${formatGroupVersion(failure)}: ${failure.error.message}`)
    .toSorted(compareUtf8);
  return new Error(
    `Discovery failed for some groups, ${failures.length} failing: unable to retrieve the complete list of server APIs: ${messages.join(', ')}`,
  );
}
