import { getOwn, isObject, type JsonObject } from '../json/index.js';
import { ERRORS_MAXIMUM, type FieldError, required } from '../status/index.js';
import type { Pace, Steps } from '../work/index.js';
import type { SchemaDocument } from './schema-node.js';

/**
 * Errors for fields and items in `allOf`, `anyOf`, `oneOf` and `not` that the schema itself lacks. Upstream: apiextensions
 * `pkg/apiserver/schema/complete.go`.
 */
export function* incompleteValidations(schema: SchemaDocument, path: string, pace: Pace): Steps<FieldError[]> {
  const check = new IncompleteCheck(pace);
  yield* check.alternatives(schema, schema, path, path);
  return check.errors;
}

class IncompleteCheck {
  readonly errors: FieldError[] = [];
  readonly #pace: Pace;

  constructor(pace: Pace) {
    this.#pace = pace;
  }

  *alternatives(nested: SchemaDocument, schema: SchemaDocument, path: string, nestedPath: string): Steps<void> {
    const not = getOwn(nested, 'not');
    if (isObject(not)) yield* this.#nested(not, schema, path, `${nestedPath}.not`);
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      const list = getOwn(nested, keyword);
      if (!Array.isArray(list)) continue;
      for (const [index, each] of list.entries()) {
        if (isObject(each)) yield* this.#nested(each, schema, path, `${nestedPath}.${keyword}[${index}]`);
        if (this.errors.length >= ERRORS_MAXIMUM) return;
      }
    }
  }

  *#nested(nested: JsonObject, schema: SchemaDocument | undefined, path: string, nestedPath: string): Steps<void> {
    if (this.#pace.endsStep()) yield;
    if (schema === undefined) {
      this.errors.push(required(path, `because it is defined in ${nestedPath}`));
      return;
    }
    yield* this.alternatives(nested, schema, path, nestedPath);
    const items = getOwn(nested, 'items');
    if (isObject(items)) yield* this.#nested(items, childOf(schema, 'items'), `${path}.items`, `${nestedPath}.items`);
    const properties = getOwn(nested, 'properties');
    if (!isObject(properties)) return;
    const known = getOwn(schema, 'properties');
    for (const name of Object.keys(properties)) {
      const property = getOwn(properties, name);
      if (!isObject(property)) continue;
      const counterpart = isObject(known) ? childOf(known, name) : undefined;
      const step = `.properties[${name}]`;
      yield* this.#nested(property, counterpart, path + step, nestedPath + step);
      if (this.errors.length >= ERRORS_MAXIMUM) return;
    }
  }
}

function childOf(schema: SchemaDocument, key: string): JsonObject | undefined {
  const child = getOwn(schema, key);
  return isObject(child) ? child : undefined;
}
