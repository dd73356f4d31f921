import { getOwn, isObject, type JsonObject } from '../json/index.js';
import { type FieldError, required } from '../status/index.js';
import type { SchemaDocument } from './schema-node.js';

/**
 * Fields and items that allOf, anyOf, oneOf and not mention, and the schema itself does not. Upstream: apiextensions
 * `pkg/apiserver/schema/complete.go`.
 */
export function incompleteValidations(schema: SchemaDocument, path: string): FieldError[] {
  return checkAlternatives(schema, schema, path, path);
}

function checkAlternatives(
  nested: SchemaDocument,
  schema: SchemaDocument,
  path: string,
  nestedPath: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const not = getOwn(nested, 'not');
  if (isObject(not)) errors.push(...checkNested(not, schema, path, `${nestedPath}.not`));
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const list = getOwn(nested, keyword);
    if (!Array.isArray(list)) continue;
    for (const [index, each] of list.entries()) {
      if (isObject(each)) errors.push(...checkNested(each, schema, path, `${nestedPath}.${keyword}[${index}]`));
    }
  }
  return errors;
}

function checkNested(
  nested: JsonObject,
  schema: SchemaDocument | undefined,
  path: string,
  nestedPath: string,
): FieldError[] {
  if (schema === undefined) return [required(path, `because it is defined in ${nestedPath}`)];
  const errors = checkAlternatives(nested, schema, path, nestedPath);
  const items = getOwn(nested, 'items');
  if (isObject(items)) {
    errors.push(...checkNested(items, childOf(schema, 'items'), `${path}.items`, `${nestedPath}.items`));
  }
  const properties = getOwn(nested, 'properties');
  if (!isObject(properties)) return errors;
  const known = getOwn(schema, 'properties');
  for (const name of Object.keys(properties)) {
    const property = getOwn(properties, name);
    if (!isObject(property)) continue;
    const counterpart = isObject(known) ? childOf(known, name) : undefined;
    const step = `.properties[${name}]`;
    errors.push(...checkNested(property, counterpart, path + step, nestedPath + step));
  }
  return errors;
}

function childOf(schema: SchemaDocument, key: string): JsonObject | undefined {
  const child = getOwn(schema, key);
  return isObject(child) ? child : undefined;
}
