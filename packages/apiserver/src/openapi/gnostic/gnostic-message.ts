import { isObject, type JsonObject, type JsonValue, stringifyJson } from '@binnacle/apimachinery/json';
import type { WireWriter } from '@binnacle/apimachinery/protobuf';
import { writeDouble, writeFlag, writeInteger, writeNested, writeString } from './wire-fields.js';

/** Writes the content of a message, from its last field to its first, as `WireWriter` does. */
export type Write = (writer: WireWriter, value: JsonObject) => void;

/**
 * How a JSON property is written to a message: its field number, and the form of its value.
 * - `text`, `texts`, `flag`: a string, strings, a true
 * - `double`, `integer`: a number
 * - `any`: any value as text; `anys`: a list of them
 * - `type`: a string in a message that could hold several
 * - `scalar`: a number, flag or string in a message with these alternatives, empty for any other value
 * - a function: a message; `each`: a list of them; `named`: an object of them, each with its key; `either`: a message
 *   with such a message or a flag as alternatives
 *
 * In this syntax, zeros are only written in alternatives and lists, so readers do not see a limit of 0.
 */
type ScalarForm = 'text' | 'texts' | 'flag' | 'double' | 'integer' | 'any' | 'anys' | 'type' | 'scalar';
export type Form =
  | ScalarForm
  | Write
  | { readonly each: Write }
  | { readonly named: Write }
  | { readonly either: Write };
type Message = ReadonlyMap<string, readonly [field: number, form: Form]>;

/** `extensions`: the field number for properties that begin with `x-`. */
export function message(fields: Record<string, readonly [field: number, form: Form]>, extensions?: number): Write {
  const known: Message = new Map(Object.entries(fields));
  return (writer, value) => {
    for (const key of Object.keys(value).reverse()) {
      const item = value[key];
      if (item === undefined) continue;
      const rule = known.get(key);
      if (rule !== undefined) writeField(writer, rule[0], rule[1], item, key);
      else if (extensions !== undefined && key.startsWith('x-')) {
        writeNested(writer, extensions, () => {
          scalars.any(writer, 2, item);
          writeString(writer, 1, key);
        });
      } else throw noForm(key);
    }
  };
}

export const noForm = (key: string): Error => new Error(`no protobuf form of OpenAPI property ${key}`);

/** Writes a message with this one field: gnostic has such a message for every alternative. */
export function singleField(field: number, write: Write): Write {
  return (writer, value) => writeNested(writer, field, () => write(writer, value));
}

const reference = message({ $ref: [1, 'text'] });

/** Writes either a value or a reference to one. */
export function orReference(write: Write): Write {
  const own = singleField(1, write);
  const referred = singleField(2, reference);
  return (writer, value) => (value['$ref'] === undefined ? own : referred)(writer, value);
}

export function writeField(writer: WireWriter, field: number, form: Form, value: JsonValue, key: string): void {
  if (typeof form === 'string' ? scalars[form](writer, field, value) : writeMessages(writer, field, form, value))
    return;
  throw new Error(`OpenAPI property ${key} has a value of another type`);
}

/** Each returns whether the value has the type of the form. */
const scalars: Record<ScalarForm, (writer: WireWriter, field: number, value: JsonValue) => boolean> = {
  text(writer, field, value) {
    if (typeof value === 'string' && value !== '') writeString(writer, field, value);
    return typeof value === 'string';
  },
  texts(writer, field, value) {
    if (!Array.isArray(value)) return false;
    for (const text of value.toReversed()) if (typeof text === 'string') writeString(writer, field, text);
    return true;
  },
  flag(writer, field, value) {
    if (value === true) writeFlag(writer, field, value);
    return typeof value === 'boolean';
  },
  type(writer, field, value) {
    if (typeof value === 'string') writeNested(writer, field, () => writeString(writer, 1, value));
    return typeof value === 'string';
  },
  scalar(writer, field, value) {
    writeNested(writer, field, () => {
      if (typeof value === 'string') writeString(writer, 3, value);
      else if (typeof value === 'boolean') writeFlag(writer, 2, value);
      else if (typeof value === 'number' || typeof value === 'bigint') writeDouble(writer, 1, Number(value));
    });
    return true;
  },
  double(writer, field, value) {
    if (typeof value !== 'number' && typeof value !== 'bigint') return false;
    if (Number(value) !== 0) writeDouble(writer, field, Number(value));
    return true;
  },
  integer(writer, field, value) {
    if (typeof value !== 'bigint' && (typeof value !== 'number' || !Number.isInteger(value))) return false;
    if (value !== 0) writeInteger(writer, field, BigInt(value));
    return true;
  },
  any(writer, field, value) {
    // Readers parse the value as YAML, which includes JSON.
    writeNested(writer, field, () => writeString(writer, 2, stringifyJson(value)));
    return true;
  },
  anys(writer, field, value) {
    if (!Array.isArray(value)) return false;
    for (const item of value.toReversed()) scalars.any(writer, field, item);
    return true;
  },
};

function writeMessages(writer: WireWriter, field: number, form: Exclude<Form, ScalarForm>, value: JsonValue): boolean {
  if (typeof form === 'function') {
    if (isObject(value)) writeNested(writer, field, () => form(writer, value));
    return isObject(value);
  }
  if ('named' in form) {
    if (isObject(value)) writeNested(writer, field, () => writeNamed(writer, 1, form.named, value));
    return isObject(value);
  }
  if ('either' in form) {
    writeNested(writer, field, () => {
      if (isObject(value)) writeNested(writer, 1, () => form.either(writer, value));
      else if (typeof value === 'boolean') writeFlag(writer, 2, value);
    });
    return isObject(value) || typeof value === 'boolean';
  }
  if (!Array.isArray(value)) return false;
  for (const item of value.toReversed()) {
    if (isObject(item)) writeNested(writer, field, () => form.each(writer, item));
  }
  return true;
}

/** Writes each property as a message of its key (1) and its value (2). */
export function writeNamed(writer: WireWriter, field: number, write: Write, value: JsonObject): void {
  for (const key of Object.keys(value).reverse()) {
    writeNamedItem(writer, field, write, key, value[key]);
  }
}

export function writeNamedItem(
  writer: WireWriter,
  field: number,
  write: Write,
  key: string,
  item: JsonValue | undefined,
): void {
  if (!isObject(item)) return;
  writeNested(writer, field, () => {
    writeNested(writer, 2, () => write(writer, item));
    writeString(writer, 1, key);
  });
}
