import type { Definition, DefinitionVersion } from './definitions.js';
import { comment } from './comment.js';
import { Names, pascalCase, quote } from './identifiers.js';
import { printShapes } from './print.js';
import { readSchema } from './read-schema.js';

const imports = ['ObjectList', 'ObjectMeta', 'ResourceType'];

/**
 * Generates a TypeScript module. Each version of each definition has an interface for its objects, one for their lists,
 * and a `ResourceType` of the same name. Throws a `DefinitionError` for a schema beyond the limits.
 */
export function generateTypes(definitions: readonly Definition[]): string {
  const names = new Names(imports);
  const versions = definitions.flatMap((definition) => definition.versions.map((version) => ({ definition, version })));
  const wanted = versions.map(({ definition, version }) => pascalCase(definition.kind) + pascalCase(version.name));
  const shared = new Set(wanted.filter((name, index) => wanted.indexOf(name) !== index));
  // Names that programs import come first, so that no nested type takes them.
  const named = versions.map((each, index) => {
    const short = wanted[index] ?? '';
    const name = names.take(shared.has(short) ? pascalCase(each.definition.group) + short : short);
    return { ...each, name, listName: names.take(`${name}List`) };
  });
  const sections = named.map((each) => printVersion(each.definition, each.version, each.name, each.listName, names));
  return [
    '// Made by `binnacle types` from CustomResourceDefinitions. Regenerate it instead of editing it.',
    `import type { ${imports.join(', ')} } from '@binnacle/client/typed';`,
    ...sections.map((section) => `\n${section}`),
    '',
  ].join('\n');
}

function printVersion(
  definition: Definition,
  version: DefinitionVersion,
  name: string,
  listName: string,
  names: Names,
): string {
  const { group, kind, listKind, plural, namespaced } = definition;
  const apiVersion = `${group}/${version.name}`;
  const shape = readSchema(version.schema, { apiVersion, kind }, `${definition.name} ${version.name}`);
  const described = version.schema?.['description'];
  const description = [
    typeof described === 'string' ? described : `${kind} of ${apiVersion}.`,
    ...(version.deprecation === undefined ? [] : [`Deprecated: ${version.deprecation}`]),
  ].join('\n\n');
  return [
    printShapes(shape, name, description, names),
    '',
    `export interface ${listName} extends ObjectList<${name}> {`,
    `  readonly apiVersion: ${quote(apiVersion)};`,
    `  readonly kind: ${quote(listKind)};`,
    '}',
    '',
    ...comment(`${plural} of ${apiVersion}.`, ''),
    `export const ${name}: ResourceType<${name}> = {`,
    `  group: ${quote(group)},`,
    `  version: ${quote(version.name)},`,
    `  kind: ${quote(kind)},`,
    `  plural: ${quote(plural)},`,
    `  namespaced: ${namespaced},`,
    '};',
  ].join('\n');
}
