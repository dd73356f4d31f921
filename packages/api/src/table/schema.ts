import type { FieldSchema, StructSchema } from '@binnacle/apimachinery/schema';
import { keepsEmpty, templateMetadata } from './kept-empty.js';
import { goTypeOf, parseNotation } from './notation.js';
import { type DefinitionRow, definitionRow, type FieldRow, loadDefinitions } from './rows.js';

const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const POD_TEMPLATE = 'io.k8s.api.core.v1.PodTemplateSpec';
const built = new Map<string, StructSchema>();

/** Whether the table has a struct type of this name. */
export function hasDefinition(definition: string): boolean {
  return definitionRow(definition) !== undefined;
}

/** Names of all struct types, sorted; excludes types of versions that the release cannot serve. */
export function definitionNames(): readonly string[] {
  return [...loadDefinitions().keys()];
}

/** Whether upstream's OpenAPI documents include the struct type. */
export function isPublished(definition: string): boolean {
  return rowOf(definition).unpublished !== true;
}

/** The kinds of a struct type, as `x-kubernetes-group-version-kind` lists them: `group/version/kind`. */
export function publishedKinds(definition: string): readonly string[] {
  return rowOf(definition).kinds ?? [];
}

/**
 * The struct type with this definition name, e.g. `io.k8s.api.core.v1.Pod`. Built on first use, then shared. Throws for
 * an unknown name.
 */
export function schemaOf(definition: string): StructSchema {
  const known = built.get(definition);
  if (known !== undefined) return known;
  const schema = buildStruct(definition, rowOf(definition));
  built.set(definition, schema);
  return schema;
}

function rowOf(definition: string): DefinitionRow {
  const row = definitionRow(definition);
  if (row === undefined) throw new Error(`the table of facts has no type ${definition}`);
  return row;
}

function buildStruct(definition: string, row: DefinitionRow): StructSchema {
  const fields = row.fields.map((field) => buildField(definition, field));
  return {
    name: definition,
    goName: definition.slice(definition.lastIndexOf('.') + 1),
    goType: goTypeOf(definition),
    fields,
    byName: new Map(fields.map((field) => [field.name, field])),
    mapType: row.mapType,
    unions: row.unions,
  };
}

function schemaInTemplate(definition: string): StructSchema {
  return definition === OBJECT_META ? templateMetadata(schemaOf(definition)) : schemaOf(definition);
}

function buildField(definition: string, row: FieldRow): FieldSchema {
  const value = parseNotation(row, definition === POD_TEMPLATE ? schemaInTemplate : schemaOf);
  // A map carries its own mapType. For a struct the field may narrow the type's mapType.
  const narrowed = value.kind === 'struct' ? row.mapType : undefined;
  return {
    name: row.name,
    value,
    required: row.required === true,
    omitEmpty: row.omitEmpty === true,
    omitZero: row.omitZero === true,
    pointer: row.pointer === true,
    keepsEmpty: keepsEmpty(definition, row.name),
    default: row.default,
    patchStrategy: row.patchStrategy,
    patchMergeKey: row.patchMergeKey,
    protobuf: row.protobuf,
    protobufWithin: row.protobufWithin,
    goEmbedded: row.goEmbedded,
    mapType: narrowed,
  };
}
