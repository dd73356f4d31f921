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
  const reason = `json: cannot unmarshal ${goKindOf(document)} into Go value of type ${TYPE_META}`;
  return `couldn't get version/kind; json parse error: ${reason}`;
}
