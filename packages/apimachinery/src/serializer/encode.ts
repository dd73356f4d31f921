import { formatNumber, getOwn, isObject, type JsonObject, type JsonValue, quoteJson, sortedKeys, stringifyJson } from '../json/index.js';
import type { StructSchema } from '../schema/index.js';
import { type FieldPlan, type StructPlan, structPlan, type ValuePlan } from './encode-plan.js';

/**
 * JSON of an object of a known type, as Go writes the struct: fields in schema order, map keys by their bytes, `any` values as they
 * are, zero values written or left out by each field's rule. What the schema does not know is not written. No line end:
 * upstream ends a JSON answer with one, a pretty or YAML answer without.
 */
export function encodeTypedText(object: Readonly<JsonObject>, schema: StructSchema): string {
  return writeStruct(object, structPlan(schema));
}

export function encodeTyped(object: Readonly<JsonObject>, schema: StructSchema): Uint8Array {
  return Buffer.from(encodeTypedText(object, schema));
}

/** JSON of an object without a Go type, a custom resource: all keys by their bytes, at every level. */
export function encodeUntypedText(value: JsonValue): string {
  return stringifyJson(value, { sortKeys: true });
}

export function encodeUntyped(value: JsonValue): Uint8Array {
  return Buffer.from(encodeUntypedText(value));
}

function writeStruct(object: Readonly<JsonObject>, plan: StructPlan): string {
  let text = '';
  for (const field of plan.fields) {
    const value = field.inherited ? getOwn(object, field.name) : object[field.name];
    const part = value === undefined || value === null ? field.absent : writeField(value, field);
    if (part !== '') text += text === '' ? part : `,${part}`;
  }
  return `{${text}}`;
}

function writeField(value: JsonValue, field: FieldPlan): string {
  if (field.dropZero && isZero(value, field.value)) return '';
  const text = writeValue(value, field.value);
  return text === field.dropText ? '' : field.prefix + text;
}

/** Zero as Go's omitempty and omitzero see it; for structs see {@link FieldPlan.dropText}. */
function isZero(value: JsonValue, plan: ValuePlan): boolean {
  switch (typeof value) {
    case 'string':
      return value === '' && plan.form !== 'intOrString';
    case 'number':
      return value === 0;
    case 'boolean':
      return !value;
    case 'bigint':
      return value === 0n;
  }
  if (Array.isArray(value)) return value.length === 0 && plan.form === 'list';
  if (plan.form !== 'map' || value === null) return false;
  for (const key in value) if (value[key] !== undefined) return false;
  return true;
}

function writeValue(value: JsonValue, plan: ValuePlan): string {
  switch (typeof value) {
    case 'string':
      return quoteJson(value);
    case 'number':
      return formatNumber(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'bigint':
      return value.toString();
  }
  if (value === null) return plan.zeroText;
  if (plan.form === 'struct' && isObject(value)) return writeStruct(value, plan.plan);
  if (plan.form === 'list' && Array.isArray(value)) return writeList(value, plan.items);
  if (plan.form === 'map' && isObject(value)) return writeMap(value, plan.values);
  return stringifyJson(value);
}

function writeList(list: readonly JsonValue[], items: ValuePlan): string {
  let text = '';
  for (const item of list) text += text === '' ? writeValue(item, items) : `,${writeValue(item, items)}`;
  return `[${text}]`;
}

function writeMap(map: JsonObject, values: ValuePlan): string {
  let text = '';
  for (const key of sortedKeys(map)) {
    const value = map[key];
    if (value === undefined) continue;
    const part = `${quoteJson(key)}:${writeValue(value, values)}`;
    text += text === '' ? part : `,${part}`;
  }
  return `{${text}}`;
}
