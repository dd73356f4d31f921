import type { JsonObject } from '@binnacle/apimachinery/json';
import type { GroupVersion, GroupVersionKind } from '@binnacle/apimachinery/meta';
import type { ApiGroup, ApiResource, ApiSurface, DiscoveryFailure } from './api-surface.js';
import { objectOf, objectsOf, textOf, textsOf } from './json-fields.js';

/** Reads an `APIGroupDiscoveryList`. Upstream: `k8s.io/api/apidiscovery/v2`. */
export function readAggregated(list: JsonObject): ApiSurface {
  const failures: DiscoveryFailure[] = [];
  const groups = objectsOf(list, 'items').map((item): ApiGroup => {
    const group = textOf(objectOf(item, 'metadata'), 'name');
    const versions = objectsOf(item, 'versions').map((entry) => {
      const version = textOf(entry, 'version');
      if (textOf(entry, 'freshness') === 'Stale') {
        failures.push({ group, version, error: new Error(`stale GroupVersion discovery: ${group}/${version}`) });
      }
      return {
        version,
        resources: objectsOf(entry, 'resources').map((resource) => readResource(resource, { group, version })),
      };
    });
    return { name: group, versions };
  });
  return { groups, failures };
}

function readResource(entry: JsonObject, { group, version }: GroupVersion): ApiResource {
  const kind = readKind(entry, { group, version });
  return {
    resource: { group, version, resource: textOf(entry, 'resource') },
    kind,
    namespaced: textOf(entry, 'scope') === 'Namespaced',
    verbs: textsOf(entry, 'verbs'),
    singularName: textOf(entry, 'singularResource') || kind.kind.toLowerCase(),
    shortNames: textsOf(entry, 'shortNames'),
    categories: textsOf(entry, 'categories'),
    subresources: objectsOf(entry, 'subresources').map((subresource) => ({
      name: textOf(subresource, 'subresource'),
      kind: readKind(subresource, { group, version }),
      verbs: textsOf(subresource, 'verbs'),
    })),
  };
}

/** An empty group and version are those of the resource. */
function readKind(entry: JsonObject, { group, version }: GroupVersion): GroupVersionKind {
  const kind = objectOf(entry, 'responseKind');
  const own = textOf(kind, 'group') === '' && textOf(kind, 'version') === '';
  return own
    ? { group, version, kind: textOf(kind, 'kind') }
    : { group: textOf(kind, 'group'), version: textOf(kind, 'version'), kind: textOf(kind, 'kind') };
}
