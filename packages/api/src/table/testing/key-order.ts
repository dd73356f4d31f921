import { isObject, type JsonValue } from '@binnacle/apimachinery/json';
import { parseGroupVersion } from '@binnacle/apimachinery/meta';
import type { StructSchema, ValueSchema } from '@binnacle/apimachinery/schema';
import { kindSchema } from '../kinds.js';

/**
 * Paths in an object of a built-in kind where a key is unknown to the table, or stands before one that the table has
 * earlier. A kind that the table does not have is reported as one path.
 */
export function unknownOrMisplaced(object: unknown): string[] {
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
    if (position < last) found.push(`${path}.${key} is misplaced`);
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
