import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type JsonValue, parseJson } from '../json/index.js';
import type { StructSchema } from '../schema/index.js';
import { DecodeError, decodeTyped } from './index.js';
import { field, int64, string, struct } from './schema.testing.js';

const union = (name: string) => ({ kind: 'any', goType: `v1.JSONSchemaPropsOr${name}` }) as const;
const list = (type: () => StructSchema) => ({ kind: 'list', items: reference(type) }) as const;
const reference = (type: () => StructSchema) => ({
  kind: 'struct' as const,
  get type() {
    return type();
  },
});

const props: StructSchema = struct('JSONSchemaProps', [
  field('type', string, 'omitempty'),
  field('maxLength', int64, 'omitempty pointer'),
  field(
    'allOf',
    list(() => props),
    'omitempty',
  ),
  field('items', union('Array'), 'omitempty pointer'),
  field('additionalProperties', union('Bool'), 'omitempty pointer'),
  field('dependencies', { kind: 'map', values: union('StringArray') }, 'omitempty'),
]);

function decode(text: string): { object: JsonValue; strictErrors: readonly string[] } | string {
  const { value, details } = parseJson(text);
  try {
    return decodeTyped(value, props, { details });
  } catch (error) {
    assert.ok(error instanceof DecodeError, String(error));
    return error.message;
  }
}

describe('a schema inside a schema', () => {
  const kept: [name: string, text: string, object: JsonValue][] = [
    ['a schema', '{"items":{"type":"string"}}', { items: { type: 'string' } }],
    ['an empty schema', '{"items":{},"additionalProperties":{}}', { items: {}, additionalProperties: {} }],
    ['a list of schemas', '{"items":[{"type":"string"},null]}', { items: [{ type: 'string' }, {}] }],
    ['an empty list', '{"items":[]}', {}],
    ['items that are not a schema', '{"items":"x"}', {}],
    ['a boolean', '{"additionalProperties":false}', { additionalProperties: false }],
    ['null', '{"items":null,"additionalProperties":null}', {}],
    ['names', '{"dependencies":{"a":["b"],"c":5}}', { dependencies: { a: ['b'], c: null } }],
    ['an unknown field', '{"items":{"type":"string","nope":{"a":1}}}', { items: { type: 'string' } }],
    [
      'an unknown field deep below',
      '{"items":{"additionalProperties":{"x":1}}}',
      { items: { additionalProperties: {} } },
    ],
  ];
  for (const [name, text, object] of kept) {
    it(`reads ${name}`, () => assert.deepEqual(decode(text), { object, strictErrors: [] }));
  }

  const refused: [text: string, message: string][] = [
    ['{"additionalProperties":"x"}', 'boolean or JSON schema expected'],
    ['{"additionalProperties":[true]}', 'boolean or JSON schema expected'],
    [
      '{"items":[5]}',
      'json: cannot unmarshal number into Go struct field JSONSchemaProps.items of type v1.JSONSchemaProps',
    ],
    [
      '{"items":{"additionalProperties":{"maxLength":"x"}}}',
      'json: cannot unmarshal string into Go struct field JSONSchemaProps.items.additionalProperties.maxLength of type int64',
    ],
    [
      '{"items":{"maxLength":1.0}}',
      'json: cannot unmarshal number 1.0 into Go struct field JSONSchemaProps.items.maxLength of type int64',
    ],
    [
      '{"dependencies":{"a":[5]}}',
      'json: cannot unmarshal number into Go struct field JSONSchemaProps.dependencies of type string',
    ],
  ];
  for (const [text, message] of refused) it(`refuses ${text}`, () => assert.equal(decode(text), message));
});
