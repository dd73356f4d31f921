import type {
  FieldSchema,
  ListSchema,
  MapSchema,
  StructReference,
  StructSchema,
  ValueSchema,
} from '../schema/index.js';

/** Types of fields, by Go's names. */
export const text: ValueSchema = { kind: 'string', goType: 'string' };
export const flag: ValueSchema = { kind: 'boolean', goType: 'bool' };
export const int32: ValueSchema = { kind: 'integer', bits: 32, goType: 'int32' };
export const int64: ValueSchema = { kind: 'integer', bits: 64, goType: 'int64' };
export const double: ValueSchema = { kind: 'number', goType: 'float64' };
/** Go's text form, such as `1m30s`. */
export const duration: ValueSchema = { kind: 'duration', goType: 'v1.Duration' };
/** Any value, which the caller decodes. */
export const anything: ValueSchema = { kind: 'any', goType: 'runtime.RawExtension' };
export const texts: ListSchema = listOf(text);

export function listOf(items: ValueSchema): ListSchema {
  return { kind: 'list', items };
}

export function mapOf(values: ValueSchema): MapSchema {
  return { kind: 'map', values };
}

/** A struct as the value of a field. */
export function nested(type: StructSchema): StructReference {
  return { kind: 'struct', type };
}

/**
 * Declares a struct. An explicit zero value differs from an absent one, so that defaults apply only to absent fields.
 * `goType` is Go's qualified name in decoding errors, such as `v1.Policy`.
 */
export function struct(goType: string, values: Readonly<Record<string, ValueSchema>>): StructSchema {
  const goName = goType.slice(goType.indexOf('.') + 1);
  const fields = Object.entries(values).map(([name, value]) => fieldOf(name, value));
  return { name: goType, goName, goType, fields, byName: new Map(fields.map((field) => [field.name, field])) };
}

/** {@link struct} for the kind of a file. */
export function kind(goType: string, values: Readonly<Record<string, ValueSchema>>): StructSchema {
  return struct(goType, { kind: text, apiVersion: text, ...values });
}

function fieldOf(name: string, value: ValueSchema): FieldSchema {
  return { name, value, required: false, omitEmpty: true, omitZero: false, pointer: true };
}
