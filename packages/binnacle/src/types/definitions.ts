import { getOwn, isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { flagOf, textOf } from '@binnacle/apimachinery/structural';
import { DefinitionError } from './definition-error.js';

/** The input of the generator. */
export interface Definition {
  /** `<plural>.<group>`. */
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** The served versions. */
  readonly versions: readonly DefinitionVersion[];
}

export interface DefinitionVersion {
  readonly name: string;
  /** The deprecation warning; undefined when the version is not deprecated. */
  readonly deprecation: string | undefined;
  /** The OpenAPI schema. Undefined: any object. */
  readonly schema: Readonly<JsonObject> | undefined;
}

const GROUP = 'apiextensions.k8s.io';

/**
 * The definitions among objects and in lists, sorted by name; other kinds are skipped. Throws a {@link DefinitionError}
 * for an incomplete definition, and for a name that is defined twice.
 */
export function definitionsIn(objects: readonly Readonly<JsonObject>[]): readonly Definition[] {
  const definitions = new Map<string, Definition>();
  for (const object of definitionObjectsIn(objects)) {
    const apiVersion = textOf(object, 'apiVersion');
    const definition = definitionOf(object);
    if (apiVersion !== `${GROUP}/v1`) {
      throw new DefinitionError(`${definition.name} is defined in ${apiVersion}; only ${GROUP}/v1 is known`);
    }
    if (definitions.has(definition.name)) throw new DefinitionError(`${definition.name} is defined twice`);
    definitions.set(definition.name, definition);
  }
  return [...definitions.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The definitions among objects and in lists, unparsed. */
export function definitionObjectsIn(objects: readonly Readonly<JsonObject>[]): readonly Readonly<JsonObject>[] {
  return objects
    .flatMap(itemsOf)
    .filter(
      (object) =>
        textOf(object, 'kind') === 'CustomResourceDefinition' && textOf(object, 'apiVersion').startsWith(`${GROUP}/`),
    );
}

function itemsOf(object: Readonly<JsonObject>): readonly Readonly<JsonObject>[] {
  const items = getOwn(object, 'items');
  if (!textOf(object, 'kind').endsWith('List') || !Array.isArray(items)) return [object];
  const apiVersion = textOf(object, 'apiVersion');
  // Items of a typed list may omit apiVersion and kind.
  const typed = apiVersion.startsWith(`${GROUP}/`) ? { apiVersion, kind: 'CustomResourceDefinition' } : {};
  return items.filter(isObject).map((item) => ({ ...typed, ...item }));
}

function definitionOf(object: Readonly<JsonObject>): Definition {
  const spec = objectOf(getOwn(object, 'spec'));
  const names = objectOf(getOwn(spec, 'names'));
  const group = textOf(spec, 'group');
  const kind = textOf(names, 'kind');
  const plural = textOf(names, 'plural');
  const name = `${plural}.${group}`;
  if (group === '' || kind === '' || plural === '') {
    const given = textOf(objectOf(getOwn(object, 'metadata')), 'name');
    throw new DefinitionError(
      `CustomResourceDefinition ${JSON.stringify(given)} lacks its spec.group, spec.names.kind or spec.names.plural`,
    );
  }
  const versions = getOwn(spec, 'versions');
  return {
    name,
    group,
    kind,
    listKind: textOf(names, 'listKind') || `${kind}List`,
    plural,
    namespaced: textOf(spec, 'scope') === 'Namespaced',
    versions: (Array.isArray(versions) ? versions : [])
      .filter(isObject)
      .filter((version) => flagOf(version, 'served'))
      .map((version) => versionOf(version, name)),
  };
}

function versionOf(version: Readonly<JsonObject>, definition: string): DefinitionVersion {
  const name = textOf(version, 'name');
  if (name === '') throw new DefinitionError(`${definition} has a version without a name`);
  const schema = getOwn(objectOf(getOwn(version, 'schema')), 'openAPIV3Schema');
  return {
    name,
    deprecation: flagOf(version, 'deprecated') ? textOf(version, 'deprecationWarning') || 'deprecated' : undefined,
    schema: isObject(schema) ? schema : undefined,
  };
}

function objectOf(value: JsonValue | undefined): Readonly<JsonObject> {
  return isObject(value) ? value : {};
}
