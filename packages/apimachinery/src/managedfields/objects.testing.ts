import * as fc from 'fast-check';
import type { JsonObject, JsonValue } from '../json/index.js';
import type { StructSchema, ValueSchema } from '../schema/index.js';

/** Random objects of a type. Many values are absent, null, zero or empty, and some fields are unknown to the type. */
export function objectsOf(type: StructSchema): fc.Arbitrary<JsonObject> {
  const fields = Object.fromEntries(type.fields.map(({ name, value }) => [name, valuesOf(value)]));
  const unknown = fc.dictionary(fc.constantFrom('x', 'y'), anything, { maxKeys: 1 });
  return fc
    .tuple(fc.record(fields, { requiredKeys: [] }), fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, unknown))
    .map(([known, others]) => ({ ...known, ...others }));
}

const texts = fc.constantFrom('', 'a', 'b', 'c');
const anything: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue[]>(
  null,
  1,
  'a',
  [],
  [1],
  {},
  { a: 1 },
  { a: { b: null } },
);

function valuesOf(schema: ValueSchema): fc.Arbitrary<JsonValue> {
  switch (schema.kind) {
    case 'struct':
      return orNull(objectsOf(schema.type));
    case 'map':
      return orNull(fc.dictionary(fc.constantFrom('a', 'b', 'c'), valuesOf(schema.values), { maxKeys: 3 }));
    case 'list':
      return orNull(fc.array(valuesOf(schema.items), { maxLength: 3 }));
    case 'integer':
      return fc.constantFrom(0, 1, 2);
    default:
      return orNull(texts);
  }
}

function orNull(values: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> {
  return fc.oneof({ weight: 9, arbitrary: values }, fc.constant(null));
}
