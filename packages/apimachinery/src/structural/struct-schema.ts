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
 * Converts the schema of a custom kind to the form of built-in kinds, so that patches, apply and field ownership handle
 * both. Values without a schema have the structure of their content.
 */
export function structSchemaOf(root: SchemaNode | undefined, kind: CustomKindSchema): StructSchema {
  const scope = { ...kind, open: root === undefined || root.preserveUnknownFields };
  const fields = root === undefined ? [] : fieldsOf(root, scope).filter(({ name }) => !typeFields.has(name));
  return struct(scope, kind.kind, [...typeFieldsOf(kind.objectMeta), ...fields], root);
}

interface Scope extends CustomKindSchema {
  /** A level that preserves unknown fields makes everything below it open too. Upstream: kube-openapi `schemaconv`. */
  readonly open: boolean;
}

const typeFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);
const text: ValueSchema = { kind: 'string', goType: 'string' };

function typeFieldsOf(objectMeta: StructSchema): FieldSchema[] {
  return [
    field('apiVersion', text, true),
    field('kind', text, true),
    // Metadata has a Go type, which determines the fields it shows.
    { ...field('metadata', { kind: 'struct', type: objectMeta }, false), written: undefined },
  ];
}

function fieldsOf(node: SchemaNode, kind: Scope): FieldSchema[] {
  const fields: FieldSchema[] = node.embeddedResource ? typeFieldsOf(kind.objectMeta) : [];
  const known = new Set(fields.map(({ name }) => name));
  for (const [name, property] of node.properties) {
    if (known.has(name)) continue;
    const value = valueOf(property, `${kind.name}.${name}`, kind);
    const declared = field(name, value, node.required.includes(name));
    fields.push(property.default === undefined ? declared : { ...declared, default: property.default });
  }
  return fields;
}

/** Whether only the value determines its type. Upstream includes int-or-string. */
function isUntyped({ intOrString, properties, type }: SchemaNode): boolean {
  return intOrString || (type === '' && properties.size === 0);
}

const untyped: ValueSchema = { kind: 'any', goType: 'any', granular: true };

function valueOf(node: SchemaNode, name: string, kind: Scope): ValueSchema {
  if (isUntyped(node)) return untyped;
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
    default:
      return objectOf(node, name, kind);
  }
}

function listOf({ items, lists }: SchemaNode, name: string, kind: Scope): ValueSchema {
  const listType = lists?.type === 'set' || lists?.type === 'map' ? lists.type : 'atomic';
  return {
    kind: 'list',
    items: items === undefined ? untyped : valueOf(items, name, kind),
    listType,
    ...(listType === 'map' ? { listMapKeys: lists?.mapKeys ?? [] } : {}),
  };
}

function objectOf(node: SchemaNode, name: string, kind: Scope): ValueSchema {
  const { additionalProperties, mapType, properties } = node;
  const atomic = mapType === 'atomic';
  if (typeof additionalProperties === 'object' && properties.size === 0) {
    return { kind: 'map', values: valueOf(additionalProperties, name, kind), ...(atomic ? { mapType } : {}) };
  }
  const scope = { ...kind, name, open: kind.open || node.preserveUnknownFields };
  return { kind: 'struct', type: struct(scope, name, fieldsOf(node, scope), node) };
}

function struct(
  { name, open }: Scope,
  goName: string,
  fields: FieldSchema[],
  node: SchemaNode | undefined,
): StructSchema {
  const sorted = fields.sort((a, b) => compareUtf8(a.name, b.name));
  return {
    name,
    goName,
    fields: sorted,
    byName: new Map(sorted.map((each) => [each.name, each])),
    ...(node?.mapType === 'atomic' ? { mapType: 'atomic' } : {}),
    ...(open ? { open } : {}),
  };
}

function field(name: string, value: ValueSchema, required: boolean): FieldSchema {
  return { name, value, required, omitEmpty: true, omitZero: false, pointer: true, written: true };
}
