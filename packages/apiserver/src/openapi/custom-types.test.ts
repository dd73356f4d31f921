import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { customDefinition, type CustomParts } from './custom-types.js';
import type { Dialect } from './dialect.js';
import type { CustomType } from './source.js';

const parts: CustomParts = {
  field: (name) => ({ field: name }),
  listMetadata: () => ({ field: 'list metadata' }),
  reference: (definition) => ({ $ref: definition }),
};
const fields = { apiVersion: { field: 'apiVersion' }, kind: { field: 'kind' }, metadata: { field: 'metadata' } };
const kind = { group: 'example.com', version: 'v1', kind: 'Foo' };
const named = { 'x-kubernetes-group-version-kind': [kind] };
const NAME = 'com.example.v1.Foo';

function definitionOf(schema: JsonObject | undefined, dialect: Dialect, rest: Partial<CustomType> = {}): JsonObject {
  return customDefinition({ ...kind, selectableFields: [], schema, ...rest }, NAME, dialect, parts);
}

/** The definition of a field `a` with this schema. */
function written(schema: JsonObject, dialect: Dialect, around: JsonObject = {}): unknown {
  const { properties, ...rest } = definitionOf({ type: 'object', ...around, properties: { a: schema } }, dialect);
  const { a, ...others } = properties as JsonObject;
  assert.deepEqual(others, fields);
  assert.deepEqual(rest, { type: 'object', ...around, ...named });
  return a;
}

describe('the definition of a custom kind', () => {
  it('is its schema with the fields of every object', () => {
    const schema = {
      type: 'object',
      required: ['spec'],
      properties: { spec: { type: 'string' }, kind: { type: 'x' } },
    };
    for (const dialect of ['v2', 'v3'] as const) {
      assert.deepEqual(definitionOf(schema, dialect), {
        type: 'object',
        required: ['spec'],
        properties: { spec: { type: 'string' }, ...fields },
        ...named,
      });
    }
  });

  it('shares nothing with the schema', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', enum: ['x'] } } };
    const { properties } = definitionOf(schema, 'v3') as { properties: { a: { enum: string[] } } };
    properties.a.enum.push('y');
    assert.deepEqual(schema.properties.a.enum, ['x']);
  });

  it('is any object without a schema to publish', () => {
    assert.deepEqual(definitionOf(undefined, 'v3'), { type: 'object', ...named });
    const open = {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { a: { type: 'string' } },
    };
    assert.deepEqual(definitionOf(open, 'v2'), { type: 'object', ...named });
    assert.deepEqual(Object.keys(definitionOf(open, 'v3')['properties'] as object), ['a', ...Object.keys(fields)]);
  });

  it('has its selectable fields in v3', () => {
    const selectableFields = ['spec.mode'];
    const { 'x-kubernetes-selectable-fields': shown } = definitionOf(undefined, 'v3', { selectableFields });
    assert.deepEqual(shown, [{ fieldPath: 'spec.mode' }]);
    assert.deepEqual(definitionOf(undefined, 'v2', { selectableFields }), { type: 'object', ...named });
  });

  it('of a list has items, and the metadata of lists', () => {
    const list: CustomType = { ...kind, kind: 'FooList', items: 'Foo', selectableFields: [] };
    assert.deepEqual(customDefinition(list, 'com.example.v1.FooList', 'v2', parts), {
      description: 'FooList is a list of Foo',
      type: 'object',
      required: ['items'],
      properties: {
        apiVersion: fields.apiVersion,
        items: { description: 'The Foo objects.', type: 'array', items: { $ref: NAME } },
        kind: fields.kind,
        metadata: { field: 'list metadata' },
      },
      'x-kubernetes-group-version-kind': [{ ...kind, kind: 'FooList' }],
    });
  });
});

describe('a schema within', () => {
  const either = [{ type: 'integer' }, { type: 'string' }];
  const intOrString = { 'x-kubernetes-int-or-string': true };
  const preserving = { 'x-kubernetes-preserve-unknown-fields': true };
  const text = { type: 'string' };
  const cases: readonly (readonly [name: string, schema: JsonObject, v3: JsonObject, v2: JsonObject])[] = [
    [
      'keeps its facts',
      { ...text, enum: ['a'], description: 'b' },
      { ...text, enum: ['a'], description: 'b' },
      { ...text, enum: ['a'], description: 'b' },
    ],
    ['unfolds int-or-string', intOrString, { ...intOrString, anyOf: either }, intOrString],
    [
      'keeps the alternatives that it has',
      { ...intOrString, anyOf: either },
      { ...intOrString, anyOf: either },
      intOrString,
    ],
    [
      'adds to other alternatives',
      { ...intOrString, anyOf: [{ pattern: 'a' }] },
      { ...intOrString, anyOf: [{ pattern: 'a' }], allOf: [{ anyOf: either }] },
      intOrString,
    ],
    [
      'keeps alternatives within allOf',
      { ...intOrString, anyOf: [text], allOf: [{ anyOf: either }] },
      { ...intOrString, anyOf: [text], allOf: [{ anyOf: either }] },
      intOrString,
    ],
    [
      'loses logic in v2',
      { ...text, allOf: [{}], oneOf: [{}], not: {} },
      { ...text, allOf: [{}], oneOf: [{}], not: {} },
      text,
    ],
    ['that may be null has no type in v2', { ...text, nullable: true }, { ...text, nullable: true }, {}],
    [
      'that preserves fields has no type and properties in v2',
      { type: 'object', ...preserving, properties: { b: text } },
      { type: 'object', ...preserving, properties: { b: text } },
      preserving,
    ],
    ['a list without items has no type in v2', { type: 'array' }, { type: 'array' }, {}],
    [
      'a list has items',
      { type: 'array', items: { ...intOrString } },
      { type: 'array', items: { ...intOrString, anyOf: either } },
      { type: 'array', items: intOrString },
    ],
    [
      'a map has values',
      { type: 'object', additionalProperties: { ...text, not: {} } },
      { type: 'object', additionalProperties: { ...text, not: {} } },
      { type: 'object', additionalProperties: text },
    ],
    [
      'requires nothing that may be null in v2',
      { type: 'object', required: ['b', 'c'], properties: { b: { ...text, nullable: true }, c: text } },
      { type: 'object', required: ['b', 'c'], properties: { b: { ...text, nullable: true }, c: text } },
      { type: 'object', required: ['c'], properties: { b: {}, c: text } },
    ],
    [
      'drops a list of required fields that becomes empty in v2',
      { type: 'object', required: ['b'], properties: { b: { ...text, nullable: true } } },
      { type: 'object', required: ['b'], properties: { b: { ...text, nullable: true } } },
      { type: 'object', properties: { b: {} } },
    ],
    [
      'requires nothing of a map whose values may be null in v2',
      { type: 'object', required: ['b'], additionalProperties: { ...text, nullable: true } },
      { type: 'object', required: ['b'], additionalProperties: { ...text, nullable: true } },
      { type: 'object', additionalProperties: {} },
    ],
  ];
  for (const [name, schema, v3, v2] of cases) {
    it(name, () => {
      assert.deepEqual(written(schema, 'v3'), v3);
      assert.deepEqual(written(schema, 'v2'), v2);
    });
  }

  const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true };

  it('of an embedded resource has the fields of every object, and requires its kind', () => {
    for (const dialect of ['v2', 'v3'] as const) {
      assert.deepEqual(written({ ...embedded, required: ['kind'], properties: { spec: text } }, dialect), {
        ...embedded,
        properties: { spec: text, ...fields },
        required: ['kind', 'apiVersion'],
      });
    }
    assert.deepEqual(written({ ...embedded, ...preserving }, 'v2'), {
      ...preserving,
      'x-kubernetes-embedded-resource': true,
    });
  });

  it('may have a field of any name', () => {
    const schema: JsonObject = {
      type: 'object',
      properties: JSON.parse('{"__proto__":{"type":"string"}}') as JsonObject,
    };
    const { properties } = written(schema, 'v3') as { properties: object };
    assert.deepEqual(Object.getOwnPropertyDescriptor(properties, '__proto__')?.value, text);
  });
});
