import { isObject, type JsonValue } from '@binnacle/apimachinery/json';
import { parseGroupVersion } from '@binnacle/apimachinery/meta';
import type { StructSchema, ValueSchema } from '@binnacle/apimachinery/schema';
import { kindSchema } from './kinds.js';

/** Names each key that the table lacks or that is out of wire order, or the kind of the object if it is unknown. */
export function unknownOrMisorderedKeys(object: unknown): string[] {
  const found: string[] = [];
  if (!isObject(object)) return ['not an object'];
  const { apiVersion, kind } = object;
  const groupVersion = typeof apiVersion === 'string' ? parseGroupVersion(apiVersion) : undefined;
  const schema =
    groupVersion !== undefined && typeof kind === 'string' ? kindSchema({ ...groupVersion, kind }) : undefined;
  if (schema === undefined) return [`unknown kind ${JSON.stringify([apiVersion, kind])}`];
  visitStruct(object, schema, schema.goName, found);
  return found;
}

function visitStruct(value: JsonValue | undefined, schema: StructSchema, path: string, found: string[]): void {
  if (!isObject(value)) return;
  let last = -1;
  for (const [key, each] of Object.entries(value)) {
    const field = schema.byName.get(key);
    if (field === undefined) {
      found.push(`${path}.${key} is unknown`);
      continue;
    }
    const position = schema.fields.indexOf(field);
    if (position < last) found.push(`${path}.${key} is out of order`);
    last = position;
    visit(each, field.value, `${path}.${key}`, found);
  }
}

function visit(value: JsonValue | undefined, schema: ValueSchema, path: string, found: string[]): void {
  if (schema.kind === 'struct') visitStruct(value, schema.type, path, found);
  else if (schema.kind === 'list' && Array.isArray(value)) {
    for (const each of value) visit(each, schema.items, `${path}[]`, found);
  } else if (schema.kind === 'map' && isObject(value)) {
    for (const [key, each] of Object.entries(value)) visit(each, schema.values, `${path}.${key}`, found);
  }
}
