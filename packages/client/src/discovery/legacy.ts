import { asError } from '@binnacle/apimachinery/errors';
import type { JsonObject } from '@binnacle/apimachinery/json';
import type { GroupVersion } from '@binnacle/apimachinery/meta';
import type { ApiGroup, ApiResource, ApiSubresource, ApiSurface, DiscoveryFailure } from './api-surface.js';
import { objectOf, objectsOf, textOf, textsOf } from './json-fields.js';

/** A group and its versions, without their resources. */
interface GroupVersions {
  readonly name: string;
  /** The preferred one first. */
  readonly versions: readonly string[];
}

/** Reads the responses of `/api` (`APIVersions`) and `/apis` (`APIGroupList`). */
export function readGroups(core: JsonObject, groups: JsonObject): GroupVersions[] {
  const coreVersions = textsOf(core, 'versions');
  const named = objectsOf(groups, 'groups').map((group) => {
    const preferred = textOf(objectOf(group, 'preferredVersion'), 'version');
    const versions = objectsOf(group, 'versions').map((entry) => textOf(entry, 'version'));
    return {
      name: textOf(group, 'name'),
      versions: versions.includes(preferred)
        ? [preferred, ...versions.filter((version) => version !== preferred)]
        : versions,
    };
  });
  return coreVersions.length === 0 ? named : [{ name: '', versions: coreVersions }, ...named];
}

/** Fetches the resources of every version and collects failures. `fetch` returns the `APIResourceList` of one version. */
export async function readLegacy(
  groups: readonly GroupVersions[],
  fetch: (groupVersion: GroupVersion) => Promise<JsonObject>,
): Promise<ApiSurface> {
  const failures: DiscoveryFailure[] = [];
  const read = async (group: string, version: string) => {
    try {
      return { version, resources: readResources(await fetch({ group, version }), { group, version }) };
    } catch (error) {
      failures.push({ group, version, error: asError(error) });
      return { version, resources: [] };
    }
  };
  const all = groups.map(async ({ name, versions }): Promise<ApiGroup> => {
    return { name, versions: await Promise.all(versions.map((version) => read(name, version))) };
  });
  return { groups: await Promise.all(all), failures };
}

function readResources(list: JsonObject, groupVersion: GroupVersion): ApiResource[] {
  const entries = objectsOf(list, 'resources');
  const subresources = new Map<string, ApiSubresource[]>();
  for (const entry of entries) {
    const [resource = '', ...rest] = textOf(entry, 'name').split('/');
    if (rest.length === 0) continue;
    const found = subresources.get(resource) ?? [];
    found.push({ name: rest.join('/'), kind: readKind(entry, groupVersion), verbs: textsOf(entry, 'verbs') });
    subresources.set(resource, found);
  }
  return entries
    .filter((entry) => !textOf(entry, 'name').includes('/'))
    .map((entry) => {
      const name = textOf(entry, 'name');
      return {
        resource: { ...groupVersion, resource: name },
        kind: readKind(entry, groupVersion),
        namespaced: entry['namespaced'] === true,
        verbs: textsOf(entry, 'verbs'),
        singularName: textOf(entry, 'singularName') || textOf(entry, 'kind').toLowerCase(),
        shortNames: textsOf(entry, 'shortNames'),
        categories: textsOf(entry, 'categories'),
        subresources: subresources.get(name) ?? [],
      };
    });
}

function readKind(entry: JsonObject, { group, version }: GroupVersion) {
  const own = textOf(entry, 'group') === '' && textOf(entry, 'version') === '';
  return {
    group: own ? group : textOf(entry, 'group'),
    version: own ? version : textOf(entry, 'version'),
    kind: textOf(entry, 'kind'),
  };
}
