import type { JsonValue } from '../json/index.js';

const TYPE_META =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** Go's name for the kind of a JSON value. */
export function goKindOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint' || typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'bool';
  return typeof value;
}

/** Why a document that is not an object has no kind. Upstream: apimachinery `serializer/json/meta.go`. */
export function typeMetaProblem(document: JsonValue): string {
  return unreadable(document, `value of type ${TYPE_META}`);
}

/** Why a document whose `kind` or `apiVersion` has this value has no kind. */
export function typeMetaFieldProblem(field: 'kind' | 'apiVersion', value: JsonValue): string {
  return unreadable(value, `struct field .${field} of type string`);
}

function unreadable(value: JsonValue, target: string): string {
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${goKindOf(value)} into Go ${target}`;
}
