import { isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { DecodeError, typeMetaFieldProblem } from '@binnacle/apimachinery/serializer';
import { badRequest, internalError } from '@binnacle/apimachinery/status';
import type { KindCodec } from '../codec/index.js';
import { otherKind } from './wrong-kind.js';

/**
 * The patched object, with its kind and version checked. The kind is filled in only for typed resources. Undefined
 * for an object without a kind of another resource. Throws DecodeError, or a StatusError for an object without a version.
 */
export function ofKind(outcome: JsonValue, codec: KindCodec, name: string): JsonObject | undefined {
  if (!isObject(outcome)) throw new DecodeError('json: cannot unmarshal the patched value into an object');
  const kind = typeText(outcome, 'kind');
  const apiVersion = typeText(outcome, 'apiVersion');
  if (codec.untyped === true) {
    if (kind === '') return undefined;
    if (apiVersion === '') throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'");
    return outcome;
  }
  if (apiVersion === '') {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  const named = kind === '' ? { ...outcome, kind: codec.groupVersionKind.kind } : outcome;
  const other = otherKind(named, kind || codec.groupVersionKind.kind, apiVersion, codec);
  if (other !== undefined) throw new DecodeError(other.reason);
  return named;
}

function typeText(outcome: JsonObject, field: 'kind' | 'apiVersion'): string {
  const value = outcome[field] ?? '';
  if (typeof value === 'string') return value;
  throw new DecodeError(typeMetaFieldProblem(field, value));
}
