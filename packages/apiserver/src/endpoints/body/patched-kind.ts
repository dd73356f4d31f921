import { isObject, type JsonObject, type JsonValue, StrictErrors } from '@binnacle/apimachinery/json';
import { DecodeError, goKindOf, typeMetaFieldProblem } from '@binnacle/apimachinery/serializer';
import { internalError, quoteGo } from '@binnacle/apimachinery/status';
import type { KindCodec } from '../../codec/index.js';
import { otherKind, unknownInternalKind } from './wrong-kind.js';

const TYPE_META_TARGET =
  'value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/**
 * The patched object, with its kind and version checked. For a typed resource, a missing kind is filled in. For an untyped
 * one, it is undefined when the kind is missing. Throws DecodeError, or a StatusError for an untyped object without a
 * version.
 */
export function ofKind(outcome: JsonValue, codec: KindCodec): JsonObject | undefined {
  if (!isObject(outcome)) {
    const problem = `json: cannot unmarshal ${goKindOf(outcome)} into Go ${TYPE_META_TARGET}`;
    throw new DecodeError(`couldn't get version/kind; json parse error: ${problem}`);
  }
  const kind = typeText(outcome, 'kind');
  const apiVersion = typeText(outcome, 'apiVersion');
  if (codec.untyped === true) {
    if (kind === '') return undefined;
    if (apiVersion === '') throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'");
    return outcome;
  }
  const named = kind === '' ? { ...outcome, kind: codec.groupVersionKind.kind } : outcome;
  const other = otherKind(named, kind || codec.groupVersionKind.kind, apiVersion, codec);
  if (other !== undefined) throw new DecodeError(other.reason);
  return named;
}

/**
 * The strict errors of a patched object of a typed resource that names no version, and undefined for others. Upstream
 * decodes it as the kind's internal type, whose fields have other names. So it finds no name, which is an error too.
 * Throws DecodeError.
 */
export function strictErrorsWithoutVersion(outcome: JsonValue, codec: KindCodec): readonly string[] | undefined {
  if (codec.untyped === true || !isObject(outcome) || typeText(outcome, 'apiVersion') !== '') return undefined;
  const expected = codec.groupVersionKind;
  const kind = typeText(outcome, 'kind') || expected.kind;
  if (kind !== expected.kind) throw new DecodeError(unknownInternalKind(kind, expected.group));
  const errors = new StrictErrors();
  for (const field of Object.keys(outcome).sort()) {
    if (errors.isFull) break;
    if (field !== 'kind' && field !== 'apiVersion') errors.add(`unknown field ${quoteGo(field)}`);
  }
  return errors.texts;
}

function typeText(outcome: JsonObject, field: 'kind' | 'apiVersion'): string {
  const value = outcome[field] ?? '';
  if (typeof value === 'string') return value;
  throw new DecodeError(typeMetaFieldProblem(field, value));
}
