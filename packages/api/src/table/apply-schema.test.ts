import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { deepEqual, isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import type { FieldSchema, ScalarKind, StructSchema, Union, ValueSchema } from '@binnacle/apimachinery/schema';
import { resources } from './resources.js';
import { schemaOf } from './schema.js';

const file = new URL('../../facts/ssa-schema.json', import.meta.url);

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const scalars: ReadonlyMap<ScalarKind, JsonObject> = new Map<ScalarKind, JsonObject>([
  ['string', { scalar: 'string' }],
  ['bytes', { scalar: 'string' }],
  ['duration', { scalar: 'string' }],
  ['boolean', { scalar: 'boolean' }],
  ['integer', { scalar: 'numeric' }],
  ['number', { scalar: 'numeric' }],
  ['time', { namedType: `${meta}.Time` }],
  ['microTime', { namedType: `${meta}.MicroTime` }],
  ['quantity', { namedType: 'io.k8s.apimachinery.pkg.api.resource.Quantity' }],
  ['intOrString', { namedType: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString' }],
  ['any', { namedType: '__untyped_atomic_' }],
]);

/** The type of a value as upstream's schema has it. */
function typeOf(value: ValueSchema, field?: FieldSchema): JsonObject {
  switch (value.kind) {
    case 'struct':
      return { namedType: value.type.name, ...relationship(field?.mapType) };
    case 'map':
      return { map: { elementType: typeOf(value.values), ...relationship(value.mapType) } };
    case 'list': {
      const associative = value.listType === 'set' || value.listType === 'map';
      const keys = value.listType === 'map' ? { keys: [...(value.listMapKeys ?? [])] } : {};
      return {
        list: {
          elementType: typeOf(value.items),
          elementRelationship: associative ? 'associative' : 'atomic',
          ...keys,
        },
      };
    }
    default:
      return scalars.get(value.kind) ?? {};
  }
}

/** Maps are separable by default. */
function relationship(mapType: 'atomic' | 'granular' | undefined): JsonObject {
  return mapType === 'atomic' ? { elementRelationship: 'atomic' } : {};
}

function mapOf(type: StructSchema): JsonObject {
  const fields: JsonObject = {};
  for (const field of type.fields) {
    fields[field.name] = {
      type: typeOf(field.value, field),
      ...(field.default === undefined ? {} : { default: field.default }),
    };
  }
  return {
    fields,
    ...relationship(type.mapType),
    ...(type.unions === undefined ? {} : { unions: type.unions.map(unionOf) }),
  };
}

function unionOf(union: Union): JsonObject {
  return {
    ...(union.discriminator === undefined ? {} : { discriminator: union.discriminator }),
    fields: union.fields.map((fieldName, index) => ({
      fieldName,
      discriminatorValue: union.discriminatorValues?.[index],
    })),
  };
}

/** Upstream's schema without its defaults. */
function normal(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(normal);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(
    ([key, item]) => !(key === 'elementRelationship' && item === 'separable'),
  );
  return Object.fromEntries(entries.map(([key, item]) => [key, normal(item ?? null)]));
}

/** All structs reachable from the objects of resources. */
function reachable(): Map<string, StructSchema> {
  const found = new Map<string, StructSchema>();
  const visit = (value: ValueSchema): void => {
    if (value.kind === 'list') visit(value.items);
    if (value.kind === 'map') visit(value.values);
    if (value.kind !== 'struct' || found.has(value.type.name)) return;
    found.set(value.type.name, value.type);
    for (const field of value.type.fields) visit(field.value);
  };
  for (const resource of resources()) visit({ kind: 'struct', type: schemaOf(resource.definition) });
  return found;
}

/** Definitions for which the facts have no schema: kinds that cannot be applied, and custom resource definitions. */
const withoutSchema =
  /^io\.k8s\.(api\.(authentication|authorization)|apiextensions-apiserver)\.|\.(Binding|FieldSelectorRequirement)$/;

it("equals upstream's schema for every type that can be applied", () => {
  const { types } = JSON.parse(readFileSync(file, 'utf8')) as { types: JsonObject };
  const wrong: string[] = [];
  let compared = 0;
  for (const [name, type] of reachable()) {
    const upstream = types[name];
    if (!isObject(upstream) || !isObject(upstream['map'])) {
      if (!withoutSchema.test(name)) wrong.push(`${name}: not there`);
      continue;
    }
    compared++;
    const expected = normal(upstream['map']);
    if (type.fields.length === 0) {
      // A struct without fields: a free-form document, merged part by part.
      assert.ok(isObject(expected) && expected['fields'] === undefined, name);
    } else if (!deepEqual(mapOf(type), expected)) wrong.push(name);
  }
  // managedFields are never applied, and other rules read their content.
  assert.deepEqual(wrong, [`${meta}.ManagedFieldsEntry`]);
  assert.ok(compared > 500, String(compared));
});
