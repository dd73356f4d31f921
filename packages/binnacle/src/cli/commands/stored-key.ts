import { type ResourceFacts, resources } from '@binnacle/api/table';

const STORAGE_PREFIX = '/registry/';

/**
 * The key of an object in a store of Binnacle. `kind` is in kubectl's notation; a custom resource is PLURAL.GROUP. `name` is
 * NAMESPACE/NAME, or NAME in no namespace. Throws an Error for people.
 */
export function storedKey(kind: string, name: string): string {
  const [first = '', second, ...others] = name.split('/');
  const isName = first !== '' && second !== '' && others.length === 0;
  const facts = resources().find((each) => each.etcdPrefix !== undefined && matches(each, kind.toLowerCase()));
  if (facts === undefined) return `${STORAGE_PREFIX}${customPrefix(kind)}/${name}`;
  if (!isName || facts.namespaced !== (second !== undefined)) {
    throw new Error(
      `${JSON.stringify(name)} is not ${facts.namespaced ? 'NAMESPACE/NAME' : 'NAME'} of ${facts.resource}`,
    );
  }
  return `${STORAGE_PREFIX}${facts.etcdPrefix ?? ''}/${name}`;
}

function matches({ resource, singular, kind, group, shortNames = [] }: ResourceFacts, wanted: string): boolean {
  const names = [resource, singular, kind.toLowerCase(), ...shortNames];
  return names.some((name) => wanted === name || (group !== '' && wanted === `${name}.${group}`));
}

function customPrefix(kind: string): string {
  const [, plural, group] = /^([a-z0-9-]+)\.([a-z0-9.-]+)$/.exec(kind) ?? [];
  if (plural !== undefined && group !== undefined) return `${group}/${plural}`;
  throw new Error(`${JSON.stringify(kind)} is no kind of this release; give a custom resource as PLURAL.GROUP`);
}
