import type { FieldSchema, StructSchema, ValueSchema } from '../schema/index.js';
import { unclassified } from '../status/index.js';

/** The type of the value being patched; undefined outside of the schema. */
export type PatchSchema = ValueSchema | undefined;

export interface FieldPatchRule {
  /** The schema of the field; for a list, of its items. */
  readonly schema: PatchSchema;
  readonly strategy: 'merge' | 'replace' | undefined;
  /** Removes fields that `$retainKeys` of the patch does not name. */
  readonly retainKeys: boolean;
  readonly mergeKey: string;
}

/** How to merge a field that holds an object. Throws upstream's error for an unknown field. */
export function objectRule(schema: PatchSchema, name: string): FieldPatchRule {
  const field = fieldOf(schema, name);
  return ruleOf(field, field.value);
}

/** How to merge a field that holds a list. */
export function listRule(schema: PatchSchema, name: string): FieldPatchRule {
  const field = fieldOf(schema, name);
  if (field.value.kind !== 'list') {
    throw unclassified(`expected slice or array type, but got: ${goKind(schema)}`);
  }
  if (field.value.items.kind === 'list') throw unclassified('unexpected slice of slice');
  return ruleOf(field, field.value.items);
}

export function findField(schema: PatchSchema, name: string): FieldSchema | undefined {
  return schema?.kind === 'struct' ? schema.type.byName.get(name) : undefined;
}

function fieldOf(schema: PatchSchema, name: string): FieldSchema {
  if (schema !== undefined && !isStructInGo(schema)) {
    throw unclassified(`merging an object in json but data type is not struct, instead is: ${goKind(schema)}`);
  }
  const field = findField(schema, name);
  if (field === undefined) {
    throw unclassified(
      `unable to find api field in struct ${goName(schema)} for the json field ${JSON.stringify(name)}`,
    );
  }
  return field;
}

function ruleOf(field: FieldSchema, schema: ValueSchema): FieldPatchRule {
  return {
    schema,
    strategy: field.patchStrategy?.find((strategy) => strategy !== 'retainKeys'),
    retainKeys: field.patchStrategy?.includes('retainKeys') === true,
    mergeKey: field.patchMergeKey ?? '',
  };
}

export function structSchema(type: StructSchema): PatchSchema {
  return { kind: 'struct', type };
}

/** Go's kind of the type, which some messages print. */
export function goKind(schema: PatchSchema): string {
  switch (schema?.kind) {
    case 'map':
      return 'map';
    case 'list':
    case 'bytes':
      return 'slice';
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'integer':
      return `int${schema.bits ?? 64}`;
    case 'number':
      return 'float64';
    default:
      return 'struct';
  }
}

function isStructInGo(schema: ValueSchema): boolean {
  return goKind(schema) === 'struct';
}

function goName(schema: PatchSchema): string {
  if (schema === undefined) return '';
  if (schema.kind === 'struct') return schema.type.goName;
  return 'goType' in schema && schema.goType !== undefined ? schema.goType.replace(/^.*\./, '') : '';
}
