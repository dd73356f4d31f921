import type { JsonObject } from '@binnacle/apimachinery/json';

/** A namespaced resource, in version v1 of its group. */
export interface DiscoveredResource {
  readonly name: string;
  readonly group: string;
  readonly verbs: readonly string[];
}

/** Aggregated discovery of these resources, with the `stale` groups marked as such. */
export function discoveryOf(served: readonly DiscoveredResource[], stale: ReadonlySet<string>): JsonObject {
  const groups = new Set(served.map(({ group }) => group));
  const items = [...groups].map((group) => ({
    metadata: { name: group },
    versions: [
      {
        version: 'v1',
        freshness: stale.has(group) ? 'Stale' : 'Current',
        resources: served.filter((resource) => resource.group === group).map(documentOf),
      },
    ],
  }));
  return { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', items };
}

function documentOf({ name, group, verbs }: DiscoveredResource): JsonObject {
  return {
    resource: name,
    responseKind: { group, version: 'v1', kind: name },
    scope: 'Namespaced',
    verbs: [...verbs],
  };
}
