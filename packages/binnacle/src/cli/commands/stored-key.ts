import type { GroupResource } from '@binnacle/apimachinery/meta';
import { type ResourceFacts, resources, storedPrefix } from '@binnacle/api/table';

/**
 * The key of an object in a store of Binnacle. `kind` is in kubectl's notation; a custom resource is PLURAL.GROUP. `name` is
 * NAMESPACE/NAME, or NAME in no namespace. Throws an Error for people.
 */
export function storedKey(kind: string, name: string): string {
  const [first = '', second, ...others] = name.split('/');
  const isName = first !== '' && second !== '' && others.length === 0;
  const facts = resources().find((each) => each.etcdPrefix !== undefined && matches(each, kind.toLowerCase()));
  const prefix = storedPrefix(facts ?? customResource(kind));
  const isNamespaced = facts?.namespaced ?? second !== undefined;
  if (!isName || isNamespaced !== (second !== undefined)) {
    const form = isNamespaced ? 'NAMESPACE/NAME' : 'NAME';
    throw new Error(`${JSON.stringify(name)} is not ${form} of ${facts?.resource ?? kind}`);
  }
  return `${prefix}${name}`;
}

function matches(facts: ResourceFacts, wanted: string): boolean {
  const { resource, singular, kind, group, version, shortNames = [] } = facts;
  const names = [resource, singular, kind.toLowerCase(), ...shortNames];
  const suffixes = group === '' ? [''] : ['', `.${group}`, `.${version}.${group}`];
  return names.some((name) => suffixes.some((suffix) => wanted === name + suffix));
}

/** The group of a custom resource has a dot. So `secrets.v1` is none. */
function customResource(kind: string): GroupResource {
  const [, plural, group] = /^([a-z0-9-]+)\.([a-z0-9-]+(?:\.[a-z0-9-]+)+)$/.exec(kind) ?? [];
  if (plural !== undefined && group !== undefined) return { group, resource: plural };
  throw new Error(`${JSON.stringify(kind)} is not a kind of this release; give a custom resource as PLURAL.GROUP`);
}
