import type { FieldSchema, ScalarKind, ScalarSchema, StructSchema, ValueSchema } from '../schema/index.js';

/** Hand-written schemas for tests. */
export function scalar(kind: ScalarKind, goType: string = kind, bits?: 32 | 64): ScalarSchema {
  return { kind, goType, bits };
}

export function field(
  protobuf: number,
  name: string,
  value: ValueSchema,
  facts: Partial<FieldSchema> = {},
): FieldSchema {
  return { name, value, required: false, omitEmpty: true, omitZero: false, pointer: false, protobuf, ...facts };
}

export function struct(goName: string, fields: readonly FieldSchema[]): StructSchema {
  return { name: `test.${goName}`, goName, fields, byName: new Map(fields.map((each) => [each.name, each])) };
}

const string = scalar('string');

const member = struct('Member', [field(1, 'name', string), field(2, 'size', scalar('integer', 'int32', 32))]);

const schemaFields: FieldSchema[] = [];
/** A JSON schema, which nests itself in all of upstream's ways. */
const byName = new Map<string, FieldSchema>();
const jsonSchema: StructSchema = {
  name: 'test.JSONSchemaProps',
  goName: 'JSONSchemaProps',
  fields: schemaFields,
  byName,
};
schemaFields.push(
  field(5, 'type', string),
  field(2, 'title', string),
  field(24, 'items', scalar('any', 'v1.JSONSchemaPropsOrArray'), { pointer: true }),
  field(30, 'additionalProperties', scalar('any', 'v1.JSONSchemaPropsOrBool'), { pointer: true }),
  field(32, 'dependencies', { kind: 'map', values: scalar('any', 'v1.JSONSchemaPropsOrStringArray') }),
  field(28, 'not', { kind: 'struct', type: jsonSchema }, { pointer: true }),
  field(21, 'enum', { kind: 'list', items: scalar('any', 'v1.JSON') }),
);
for (const each of schemaFields) byName.set(each.name, each);

/** A field of each kind that the codec distinguishes. */
export const everything = struct('Everything', [
  field(1, 'text', string),
  field(2, 'textPointer', string, { pointer: true }),
  field(3, 'flag', scalar('boolean')),
  field(4, 'flagPointer', scalar('boolean'), { pointer: true }),
  field(5, 'small', scalar('integer', 'int32', 32)),
  field(6, 'large', scalar('integer', 'int64', 64)),
  field(7, 'number', scalar('number', 'float64'), { pointer: true }),
  field(8, 'bytes', scalar('bytes')),
  field(9, 'time', scalar('time')),
  field(10, 'micro', scalar('microTime'), { pointer: true }),
  field(11, 'duration', scalar('duration')),
  field(12, 'quantity', scalar('quantity')),
  field(13, 'port', scalar('intOrString')),
  field(14, 'raw', scalar('any', 'runtime.RawExtension')),
  field(15, 'member', { kind: 'struct', type: member }),
  field(16, 'memberPointer', { kind: 'struct', type: member }, { pointer: true }),
  field(17, 'members', { kind: 'list', items: { kind: 'struct', type: member } }),
  field(18, 'numbers', { kind: 'list', items: scalar('integer', 'int64', 64) }),
  field(19, 'texts', { kind: 'map', values: string }),
  field(20, 'secrets', { kind: 'map', values: scalar('bytes') }),
  field(21, 'amounts', { kind: 'map', values: scalar('quantity') }),
  field(22, 'extra', { kind: 'map', values: { kind: 'list', items: string, protobufWrapped: true } }),
  field(23, 'verbs', { kind: 'list', items: string, protobufWrapped: true }),
  field(1, 'inner', string, { protobufWithin: [24] }),
  field(2, 'innermost', string, { pointer: true, protobufWithin: [24, 3] }),
  field(25, 'schema', { kind: 'struct', type: jsonSchema }, { pointer: true }),
  { ...field(0, 'unnumbered', string), protobuf: undefined },
]);
