import { getOwn, isObject, type JsonValue } from '../json/index.js';
import type { ValueSchema } from '../schema/index.js';
import { goTypeName } from './go-type-name.js';
import { goKind } from './strategic-schema.js';

/**
 * Upstream's error for the first value that does not match its type when it converts a strategically patched object
 * from Go maps to a struct. Undefined if there is none, or if a type with its own JSON decoder reports it. Upstream:
 * apimachinery `runtime.DefaultUnstructuredConverter`.
 */
export function conversionProblem(value: JsonValue, schema: ValueSchema): string | undefined {
  if (value === null) return undefined;
  switch (schema.kind) {
    case 'struct':
      if (!isObject(value)) return `cannot restore struct from: ${goKindOf(value)}`;
      for (const field of schema.type.fields) {
        const problem = conversionProblem(getOwn(value, field.name) ?? null, field.value);
        if (problem !== undefined) return problem;
      }
      return undefined;
    case 'map':
      if (!isObject(value)) return `cannot restore map from ${goKindOf(value)}`;
      return firstProblem(
        Object.keys(value).map((key) => value[key] ?? null),
        schema.values,
      );
    case 'list':
      if (!Array.isArray(value)) return `cannot restore slice from ${goKindOf(value)}`;
      return firstProblem(value, schema.items);
    case 'string':
    case 'boolean':
    case 'integer':
    case 'number':
      return scalarProblem(value, schema);
    default:
      return undefined;
  }
}

function firstProblem(values: readonly JsonValue[], schema: ValueSchema): string | undefined {
  for (const value of values) {
    const problem = conversionProblem(value, schema);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Go can convert between all its numbers, and from integers to strings; only the first is allowed. */
function scalarProblem(value: JsonValue, schema: ValueSchema): string | undefined {
  const [from, to] = [goTypeName(value), goKind(schema)];
  const isNumber = from === 'int64' || from === 'float64';
  const wantsNumber = schema.kind === 'integer' || schema.kind === 'number';
  if (isNumber && wantsNumber) {
    return from === 'float64' && schema.kind === 'integer' ? `cannot convert float64 to ${to}` : undefined;
  }
  if (from === to) return undefined;
  return from === 'int64' && to === 'string' ? 'cannot convert int64 to string' : `unrecognized type: ${to}`;
}

function goKindOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'slice';
  return isObject(value) ? 'map' : goTypeName(value);
}
