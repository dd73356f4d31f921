import type { FieldSchema, StructSchema, ValueSchema } from '../schema/index.js';
import { compareUtf8 } from '../json/index.js';
import type { SchemaNode } from './schema-node.js';

export interface CustomKindSchema {
  /** Definition name: `com.example.stable.v1.CronTab`. */
  readonly name: string;
  readonly kind: string;
  /** The type of metadata. */
  readonly objectMeta: StructSchema;
}

/**
 * The schema of a custom kind in the form that built-in kinds have, so that patches, apply and field ownership treat both
 * alike. What the schema says nothing of is no field of its struct: its structure is what the value has.
 */
export function structSchemaOf(root: SchemaNode | undefined, kind: CustomKindSchema): StructSchema {
  const fields = root === undefined ? [] : fieldsOf(root, kind).filter(({ name }) => !typeFields.has(name));
  return struct(kind.name, kind.kind, [...typeFieldsOf(kind.objectMeta), ...fields], root?.mapType);
}

const typeFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);
const text: ValueSchema = { kind: 'string', goType: 'string' };

function typeFieldsOf(objectMeta: StructSchema): FieldSchema[] {
  return [
    field('apiVersion', text, true),
    field('kind', text, true),
    // Metadata has a type: what it shows is what the type shows.
    { ...field('metadata', { kind: 'struct', type: objectMeta }, false), written: undefined },
  ];
}

function fieldsOf(node: SchemaNode, kind: CustomKindSchema): FieldSchema[] {
  const fields: FieldSchema[] = node.embeddedResource ? typeFieldsOf(kind.objectMeta) : [];
  const known = new Set(fields.map(({ name }) => name));
  for (const [name, property] of node.properties) {
    const value = known.has(name) ? undefined : valueOf(property, `${kind.name}.${name}`, kind);
    if (value === undefined) continue;
    const declared = field(name, value, node.required.includes(name));
    fields.push(property.default === undefined ? declared : { ...declared, default: property.default });
  }
  return fields;
}

/** Undefined: only the value itself says what it is. */
function valueOf(node: SchemaNode, name: string, kind: CustomKindSchema): ValueSchema | undefined {
  if (node.intOrString) return { kind: 'intOrString', goType: 'intstr.IntOrString' };
  switch (node.type) {
    case 'string':
      return text;
    case 'boolean':
      return { kind: 'boolean', goType: 'bool' };
    case 'integer':
      return { kind: 'integer', bits: 64, goType: 'int64' };
    case 'number':
      return { kind: 'number', goType: 'float64' };
    case 'array':
      return listOf(node, name, kind);
    case 'object':
      return objectOf(node, name, kind);
    default:
      return node.properties.size === 0 ? undefined : objectOf(node, name, kind);
  }
}

function listOf({ items, lists }: SchemaNode, name: string, kind: CustomKindSchema): ValueSchema {
  const item = items === undefined ? undefined : valueOf(items, name, kind);
  const listType = lists?.type === 'set' || lists?.type === 'map' ? lists.type : 'atomic';
  return {
    kind: 'list',
    items: item ?? { kind: 'any', goType: 'any' },
    listType,
    ...(listType === 'map' ? { listMapKeys: lists?.mapKeys ?? [] } : {}),
  };
}

function objectOf(node: SchemaNode, name: string, kind: CustomKindSchema): ValueSchema {
  const { additionalProperties, mapType, properties } = node;
  const atomic = mapType === 'atomic' ? 'atomic' : undefined;
  if (typeof additionalProperties === 'object' && properties.size === 0) {
    const values = valueOf(additionalProperties, name, kind);
    if (values !== undefined) return { kind: 'map', values, ...(atomic === undefined ? {} : { mapType: atomic }) };
  }
  return { kind: 'struct', type: struct(name, name, fieldsOf(node, { ...kind, name }), atomic) };
}

function struct(name: string, goName: string, fields: FieldSchema[], mapType: string | undefined): StructSchema {
  const sorted = fields.sort((a, b) => compareUtf8(a.name, b.name));
  return {
    name,
    goName,
    fields: sorted,
    byName: new Map(sorted.map((each) => [each.name, each])),
    ...(mapType === 'atomic' ? { mapType } : {}),
  };
}

function field(name: string, value: ValueSchema, required: boolean): FieldSchema {
  return { name, value, required, omitEmpty: true, omitZero: false, pointer: true, written: true };
}
